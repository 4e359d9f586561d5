// A Vite plugin that puts script and style into the page, with a content security policy that allows these two (by
// hash) and no requests.
import { createHash } from "node:crypto";
import type { Plugin } from "vite";

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export function policyFor(script: string, style: string): string {
  // blob: and data: are for images and buffers that the page unpacks from character files; WebAssembly is for the mesh
  // decoders in the script.
  return (
    `default-src 'none'; script-src ${hashOf(script)} 'wasm-unsafe-eval'; style-src ${hashOf(style)}; ` +
    "img-src data: blob:; connect-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'"
  );
}

// The Draco loader of three.js refers to three more decoders than the one for glTF; they would triple the page's size.
export function onlyGltfDraco(): Plugin {
  return {
    name: "skincells-only-gltf-draco",
    enforce: "pre",
    transform(code, id) {
      if (!id.endsWith("DRACOLoader.js")) return null;
      return code.replace(/new URL\( '\.\.\/libs\/draco\/draco_[^']+', import\.meta\.url \)\.toString\(\)/g, '""');
    },
  };
}

export function singleFile(): Plugin {
  return {
    name: "skincells-single-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      let script = "";
      let style = "";
      for (const [name, item] of Object.entries(bundle)) {
        if (name.endsWith(".html")) continue;
        if (item.type === "chunk") script += item.code;
        else if (name.endsWith(".css")) style += String(item.source);
        delete bundle[name];
      }
      script = script.replaceAll("</script", "<\\/script");
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("Vite made no index.html");
      // Replacements are functions because a script may contain "$&", which has a meaning in strings.
      page.source = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace(
          "<!--policy-->",
          () => `<meta http-equiv="Content-Security-Policy" content="${policyFor(script, style)}">`,
        )
        .replace("<!--style-->", () => `<style>${style}</style>`)
        .replace("<!--script-->", () => `<script type="module">${script}</script>`);
    },
  };
}
