#include "viz/page/page_style.h"

namespace skincells::page {

std::string_view pageStyle() {
  return R"css(
:root {
  color-scheme: light dark;
  --page: #f4f5f7; --card: #ffffff; --ink: #1c2128; --soft: #5b6470; --line: #dfe3e8; --stripe: #f8f9fb;
  --good: #0b6e4f; --good-back: #e0f3ea; --warning: #8a5a00; --warning-back: #fdf0d2;
  --bad: #b3261e; --bad-back: #fce4e2; --curve: #0072b2; --dot: #d55e00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171c; --card: #1d2127; --ink: #e6e9ee; --soft: #9aa4b1; --line: #323841; --stripe: #22272e;
    --good: #6fd6ab; --good-back: #12382a; --warning: #f0c063; --warning-back: #3d2f0e;
    --bad: #ff9d94; --bad-back: #48191a; --curve: #56b4e9; --dot: #e69f00;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
}
main { max-width: 1200px; margin: 0 auto; padding: 32px 24px 48px; }
header { margin-bottom: 20px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0 12px 0 0; display: inline; font-weight: 650; letter-spacing: -.01em; }
h2 { font-size: 18px; margin: 0 0 12px; font-weight: 620; }
p { margin: 0 0 10px; max-width: 75ch; }
.summary { color: var(--soft); font-size: 16px; margin: 8px 0 0; }
.verdict {
  display: inline-block; padding: 3px 12px; border-radius: 99px; font-size: 14px; font-weight: 600;
  border: 1px solid currentColor; vertical-align: 5px;
}
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(165px, 1fr)); gap: 12px; margin: 0 0 20px; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px 16px; }
.tile dt { color: var(--soft); font-size: 13px; }
.tile dd { margin: 2px 0 0; font-size: 19px; font-weight: 600; line-height: 1.3; }
.card {
  background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 20px 24px; margin: 0 0 20px;
}
.facts { display: grid; grid-template-columns: minmax(110px, max-content) 1fr; gap: 4px 20px; margin: 0 0 12px; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; }
h3 { font-size: 14px; font-weight: 600; margin: 0 0 8px; }
.gallery { margin: 0 0 24px; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(230px, 1fr)); gap: 12px; }
.grid figure { margin: 0; }
.grid img { width: 100%; }
.grid figcaption { text-align: center; margin-top: 4px; }
.legend img { border: 0; padding: 6px 8px; margin-top: 8px; }
figure { margin: 0 0 16px; }
figure img, .legend img {
  display: block; max-width: 100%; height: auto; border-radius: 8px; border: 1px solid var(--line); background: #fff;
}
.plot { display: block; width: 100%; max-width: 720px; height: auto; }
.plot text { fill: var(--soft); font-size: 13px; }
.plot line { stroke: var(--line); }
.plot polyline { fill: none; stroke: var(--curve); stroke-width: 2; stroke-linejoin: round; }
.plot circle { fill: var(--dot); }
figcaption { color: var(--soft); font-size: 13px; margin-top: 6px; }
.scroll { overflow-x: auto; margin: 0 0 12px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
caption { text-align: left; color: var(--soft); padding: 0 0 6px; font-size: 13px; }
th, td { padding: 6px 12px; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--soft); font-size: 13px; white-space: nowrap; }
tbody tr:nth-child(even) { background: var(--stripe); }
tbody tr:last-child td { border-bottom: 0; }
td { overflow-wrap: normal; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.good { color: var(--good); } .warning { color: var(--warning); } .bad { color: var(--bad); }
td .mark { display: inline-block; padding: 0 8px; border-radius: 6px; font-weight: 600; }
.verdict.good, .mark.good { background: var(--good-back); }
.verdict.warning, .mark.warning { background: var(--warning-back); }
.verdict.bad, .mark.bad { background: var(--bad-back); }
summary { cursor: pointer; }
.rows { margin: 0 0 12px; }
.rows > summary { color: var(--soft); font-size: 13px; padding: 4px 0; }
summary h2 { display: inline; }
details[open] summary { margin-bottom: 12px; }
footer { color: var(--soft); font-size: 13px; }
.card > :last-child, .card details > :last-child { margin-bottom: 0; }
@media (max-width: 600px) {
  main { padding: 20px 12px 32px; }
  h1 { font-size: 21px; }
  .grid { grid-template-columns: 1fr 1fr; gap: 8px; }
  .card { padding: 16px 14px; border-radius: 10px; }
  .tiles { grid-template-columns: 1fr 1fr; gap: 8px; }
  .tile { padding: 10px 12px; }
  .tile dd { font-size: 16px; }
  .facts { grid-template-columns: 1fr; gap: 0; }
  .facts dd { margin: 0 0 8px; }
  th, td { padding: 6px 5px; }
  table { font-size: 13px; }
  th, th.number { white-space: normal; vertical-align: bottom; font-size: 11.5px; padding: 6px 4px; }
  td .mark { padding: 0 4px; }
  .stacks thead { display: none; }
  .stacks tr { display: block; padding: 6px 0; border-bottom: 1px solid var(--line); }
  .stacks td { display: grid; grid-template-columns: 40% 1fr; text-align: left; border: 0; padding: 2px 5px; white-space: normal; }
  .stacks td::before { content: attr(data-label); color: var(--soft); }
}
@media print {
  body { background: #fff; }
  .card, .tile { break-inside: avoid; }
}
)css";
}

} // namespace skincells::page
