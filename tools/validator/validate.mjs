// Runs the Khronos glTF validator and prints one JSON line per file:
//   {"file": "a.glb", "errors": [{"code", "pointer", "message"}], "warnings": [...]}
//
//   node validate.mjs FILE...                   everything the validator has to say
//   node validate.mjs --against INPUT FILE...   only what INPUT does not have
//   node validate.mjs --pairs LIST              LIST holds lines "INPUT<tab>FILE": only what its INPUT (may be empty)
//                                               does not have
//
// Exit code: 0 no errors and no warnings left, 1 some are left, 2 usage or a file that cannot be read,
// 77 the npm package is not installed (tests take that as "skipped").
import { readFile } from "node:fs/promises";
import path from "node:path";

const kErrorSeverity = 0;
const kWarningSeverity = 1;

async function loadValidator() {
  try {
    return (await import("gltf-validator")).default;
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    console.error("validate: the npm package gltf-validator is not installed; run `make setup`");
    process.exit(77);
  }
}

function parseArguments(words) {
  const options = { against: null, pairs: null, files: [] };
  for (let i = 0; i < words.length; ++i) {
    if (words[i] !== "--against" && words[i] !== "--pairs") options.files.push(words[i]);
    else if (i + 1 < words.length) options[words[i].slice(2)] = words[++i];
    else return null;
  }
  return (options.pairs !== null) !== options.files.length > 0 ? options : null;
}

// The files to look at, each with the input it came from.
async function jobsOf(options) {
  if (options.pairs === null) return options.files.map((file) => ({ input: options.against, file }));
  const lines = (await readFile(options.pairs, "utf8")).split("\n").filter(Boolean);
  return lines.map((line) => ({ input: line.split("\t")[0], file: line.split("\t")[1] }));
}

// Buffers and images that a .gltf refers to, relative to its folder.
function externalResources(file) {
  return async (uri) => new Uint8Array(await readFile(path.resolve(path.dirname(file), decodeURIComponent(uri))));
}

async function validateFile(validator, file) {
  const report = await validator.validateBytes(new Uint8Array(await readFile(file)), {
    uri: path.basename(file),
    maxIssues: 0, // all of them
    externalResourceFunction: externalResources(file),
  });
  const ofSeverity = (severity) =>
    report.issues.messages
      .filter((issue) => issue.severity === severity)
      .map(({ code, pointer, message }) => ({ code, pointer: pointer ?? "", message }));
  return { file, errors: ofSeverity(kErrorSeverity), warnings: ofSeverity(kWarningSeverity) };
}

// What of `issues` is not in `known`. Indices move when accessors are added, so that pointers cannot decide; an
// issue is old while the base still has one of its code to set against it, at the same place if possible.
function newIssues(issues, known) {
  const left = [...known];
  const takeOut = (matches) => {
    const at = left.findIndex(matches);
    return at >= 0 && left.splice(at, 1).length > 0;
  };
  return issues
    .filter((issue) => !takeOut((old) => old.code === issue.code && old.pointer === issue.pointer))
    .filter((issue) => !takeOut((old) => old.code === issue.code));
}

async function main() {
  const options = parseArguments(process.argv.slice(2));
  if (!options) {
    console.error("usage: validate.mjs [--against INPUT] FILE... | --pairs LIST");
    return 2;
  }
  const validator = await loadValidator();
  const bases = new Map(); // input -> its report
  let clean = true;
  for (const { input, file } of await jobsOf(options)) {
    if (input && !bases.has(input)) bases.set(input, await validateFile(validator, input));
    const base = input ? bases.get(input) : null;
    const report = await validateFile(validator, file);
    if (base) {
      report.errors = newIssues(report.errors, base.errors);
      report.warnings = newIssues(report.warnings, base.warnings);
    }
    console.log(JSON.stringify(report));
    clean &&= report.errors.length + report.warnings.length === 0;
  }
  return clean ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`validate: ${error.message ?? error}`);
  process.exitCode = 2;
}
