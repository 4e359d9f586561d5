// The page's state and its picture. Panels read state through getters, change it through methods and subscribe to
// changes; each part changes its own fields only.
import { Pointer } from "./stage/pointer";
import { Stage } from "./stage/stage";
import { CharacterList } from "./state/character_list";
import { PoseState } from "./state/pose_state";
import { ViewState } from "./state/view_state";

export class Viewer {
  // Subscriptions run in this order: poses are applied before the stage draws them, and panels come last.
  readonly characters = new CharacterList();
  readonly pose = new PoseState(this.characters);
  readonly view = new ViewState(this.characters);
  readonly stage: Stage;
  readonly pointer: Pointer;

  // Throws where the browser has no WebGL.
  constructor(element: HTMLElement) {
    this.stage = new Stage(element, this.characters, this.pose, this.view);
    this.pointer = new Pointer(this.stage, this.pose, this.view);
  }
}
