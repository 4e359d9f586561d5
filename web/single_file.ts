// A Vite plugin that puts script and style into the page itself, under a content security policy that allows
// exactly these two (by their hashes) and no request to anywhere.
import { createHash } from "node:crypto";
import type { Plugin } from "vite";

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

export function policyFor(script: string, style: string): string {
  // blob: and data: are pictures and buffers inside a character file, which the page unpacks itself; compiling
  // WebAssembly is for the mesh decoder that stands in the script.
  return (
    `default-src 'none'; script-src ${hashOf(script)} 'wasm-unsafe-eval'; style-src ${hashOf(style)}; ` +
    "img-src data: blob:; connect-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'"
  );
}

// three's Draco loader names three decoders besides the one for glTF that we use; they would triple the page.
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
      // Functions as replacements: a script may hold "$&", which would be replaced again.
      page.source = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace("<!--policy-->", () => `<meta http-equiv="Content-Security-Policy" content="${policyFor(script, style)}">`)
        .replace("<!--style-->", () => `<style>${style}</style>`)
        .replace("<!--script-->", () => `<script type="module">${script}</script>`);
    },
  };
}
