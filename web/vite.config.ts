import { defineConfig } from "vite";
import { onlyGltfDraco, singleFile } from "./single_file";

export default defineConfig({
  base: "./",
  plugins: [onlyGltfDraco(), singleFile()],
  build: {
    target: "es2022",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    chunkSizeWarningLimit: 4096,
    reportCompressedSize: false,
    cssCodeSplit: false,
    modulePreload: false,
    rollupOptions: { output: { inlineDynamicImports: true } },
  },
});
