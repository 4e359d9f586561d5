// The open characters and which of them are visible. Notifies after every change.
import type { AnimationClip } from "three";
import type { Character } from "../model/character";
import { Observable } from "./observable";

export class CharacterList extends Observable<void> {
  private list: readonly Character[] = [];
  private activeIndex = 0;
  private sideBySide_ = false;

  get all(): readonly Character[] {
    return this.list;
  }
  // The one that panels describe; null while none is open.
  get active(): Character | null {
    return this.list[this.activeIndex] ?? null;
  }
  get visible(): readonly Character[] {
    return this.sideBySide_ ? this.list : this.list.slice(this.activeIndex, this.activeIndex + 1);
  }
  get sideBySide(): boolean {
    return this.sideBySide_;
  }
  // Clips of the active character. If it has none, those of the first character that has some: clips address joints by
  // name.
  get clips(): readonly AnimationClip[] {
    const active = this.active?.clips ?? [];
    return active.length > 0 ? active : (this.list.find((c) => c.clips.length > 0)?.clips ?? []);
  }

  add(character: Character): void {
    this.list = [...this.list, character];
    this.notify();
  }
  clear(): void {
    this.list = [];
    this.activeIndex = 0;
    this.sideBySide_ = false;
    this.notify();
  }

  // Makes one character active and the only visible one.
  show(index: number): void {
    this.activeIndex = index;
    this.sideBySide_ = false;
    this.notify();
  }
  // Shows the next (1) or the previous (-1) character.
  step(by: 1 | -1): void {
    if (this.list.length > 0) this.show((this.activeIndex + by + this.list.length) % this.list.length);
  }
  // Shows all characters at once; without effect on a single one.
  setSideBySide(on: boolean): void {
    this.sideBySide_ = on && this.list.length > 1;
    this.notify();
  }
}
