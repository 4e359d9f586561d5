// Helpers to make elements. Text from files is only ever inserted as text, never as markup.

type Child = Node | string | null;
interface Props {
  class?: string;
  title?: string;
  type?: string;
  id?: string;
  on?: Partial<{ [K in keyof HTMLElementEventMap]: (event: HTMLElementEventMap[K]) => void }>;
  attributes?: Record<string, string>;
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (props.class) element.className = props.class;
  if (props.title) element.title = props.title;
  if (props.id) element.id = props.id;
  if (props.type) element.setAttribute("type", props.type);
  for (const [name, value] of Object.entries(props.attributes ?? {})) element.setAttribute(name, value);
  for (const [name, handler] of Object.entries(props.on ?? {}))
    element.addEventListener(name, handler as EventListener);
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

export function button(label: string, title: string, action: () => void, classes = ""): HTMLButtonElement {
  return h("button", { type: "button", class: classes, title, on: { click: action } }, label);
}

export function setPressed(element: HTMLElement, pressed: boolean): void {
  element.setAttribute("aria-pressed", String(pressed));
}

export interface Slider {
  row: HTMLElement;
  set(value: number): void;
}
export function slider(
  label: string,
  min: number,
  max: number,
  step: number,
  value: number,
  unit: string,
  changed: (value: number) => void,
): Slider {
  const output = h("output", {}, `${value}${unit}`);
  const input = h("input", {
    type: "range",
    attributes: { min: String(min), max: String(max), step: String(step), "aria-label": label },
  });
  input.value = String(value);
  const set = (v: number) => {
    input.value = String(v);
    output.textContent = `${Math.round(v)}${unit}`;
  };
  input.addEventListener("input", () => {
    output.textContent = `${Math.round(input.valueAsNumber)}${unit}`;
    changed(input.valueAsNumber);
  });
  return { row: h("label", { class: "slider" }, h("span", {}, label), input, output), set };
}

export const count = (n: number): string => n.toLocaleString("en-US");
