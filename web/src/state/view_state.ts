// How characters are drawn: colors, overlays and the selected joint.
import { type ColorMode, type PaintRequest } from "../paint/color_modes";
import type { ScaleName } from "../paint/palette";
import type { CharacterList } from "./character_list";
import { Observable } from "./observable";

export interface Overlays {
  skeleton: boolean;
  cell: boolean; // sites and region of the selected joint's skin cell
  wireframe: boolean;
  handles: boolean; // rings that turn the selected joint
  light: boolean; // background
}

export class ViewState extends Observable<"colors" | "joint" | "overlays" | "parts"> {
  private mode_: ColorMode = "material";
  private scale_: ScaleName = "viridis";
  private joint_ = "";
  private overlays_: Readonly<Overlays> = {
    skeleton: true,
    cell: false,
    wireframe: false,
    handles: true,
    light: false,
  };
  private hidden_: ReadonlySet<string> = new Set(); // parts by their place in the file

  constructor(private readonly characters: CharacterList) {
    super();
    characters.subscribe(() => {
      if (characters.all.length > 0) return;
      this.selectJoint("");
      this.setHidden([]);
    });
  }

  get mode(): ColorMode {
    return this.mode_;
  }
  get scale(): ScaleName {
    return this.scale_;
  }
  // Name of the selected joint; empty while none is selected.
  get joint(): string {
    return this.joint_;
  }
  get overlays(): Readonly<Overlays> {
    return this.overlays_;
  }
  // Whether a part (a primitive, by its place in the file) is drawn.
  isHidden(part: string): boolean {
    return this.hidden_.has(part);
  }
  get hidden(): ReadonlySet<string> {
    return this.hidden_;
  }
  // Whether the selected joint's skin cell is drawn.
  get showsCell(): boolean {
    const cells = this.characters.active?.info.field?.data.joints ?? [];
    return this.overlays_.cell && this.mode_ === "weights" && cells.includes(this.joint_);
  }
  // What to paint; null while no character is open.
  get paintRequest(): PaintRequest | null {
    const reference = this.characters.all[0]?.model;
    const confidence = new Map(
      this.characters.all.flatMap((c) => (c.info.confidence ? [[c.model, c.info.confidence] as const] : [])),
    );
    const layers = new Map(
      this.characters.all.flatMap((c) => (c.info.layers ? [[c.model, c.info.layers] as const] : [])),
    );
    const together = this.characters.together ? this.characters.all.map((c) => c.model) : [];
    return reference
      ? { mode: this.mode_, joint: this.joint_, scale: this.scale_, reference, confidence, layers, together }
      : null;
  }

  // Colors by weight need a joint: where none is selected, the one that dominates most vertices is.
  setMode(mode: ColorMode): void {
    this.mode_ = mode;
    if (mode === "weights" && this.joint_ === "") this.selectJoint(this.characters.active?.strongestJoint() ?? "");
    this.notify("colors");
  }
  setScale(scale: ScaleName): void {
    this.scale_ = scale;
    this.notify("colors");
  }
  selectJoint(name: string): void {
    this.joint_ = name;
    this.notify("joint");
  }
  setHidden(parts: Iterable<string>): void {
    this.hidden_ = new Set(parts);
    this.notify("parts");
  }
  toggle(overlay: keyof Overlays): void {
    this.overlays_ = { ...this.overlays_, [overlay]: !this.overlays_[overlay] };
    this.notify("overlays");
  }
}
