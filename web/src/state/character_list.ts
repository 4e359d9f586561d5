// The open characters and which of them are visible. Notifies after every change.
import type { AnimationClip } from "three";
import type { Character } from "../model/character";
import { Observable } from "./observable";

// One character at a time, all beside each other, or all in one place (a body and its garments).
export type Arrangement = "single" | "side by side" | "together";

export class CharacterList extends Observable<void> {
  private list: readonly Character[] = [];
  private activeIndex = 0;
  private arrangement_: Arrangement = "single";

  get all(): readonly Character[] {
    return this.list;
  }
  // The one that panels describe; null while none is open.
  get active(): Character | null {
    return this.list[this.activeIndex] ?? null;
  }
  get visible(): readonly Character[] {
    return this.arrangement_ === "single" ? this.list.slice(this.activeIndex, this.activeIndex + 1) : this.list;
  }
  get sideBySide(): boolean {
    return this.arrangement_ === "side by side";
  }
  get together(): boolean {
    return this.arrangement_ === "together";
  }
  get arrangement(): Arrangement {
    return this.arrangement_;
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
    this.arrangement_ = "single";
    this.notify();
  }

  // Makes one character active and the only visible one.
  show(index: number): void {
    this.activeIndex = index;
    this.arrangement_ = "single";
    this.notify();
  }
  // Shows the next (1) or the previous (-1) character.
  step(by: 1 | -1): void {
    if (this.list.length > 0) this.show((this.activeIndex + by + this.list.length) % this.list.length);
  }
  // Shows all characters at once; without effect on a single one.
  setSideBySide(on: boolean): void {
    this.arrange(on ? "side by side" : "single");
  }
  arrange(arrangement: Arrangement): void {
    this.arrangement_ = this.list.length > 1 ? arrangement : "single";
    this.notify();
  }
}
