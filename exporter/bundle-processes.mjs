/**
 * Bundles the program of an export process, with the libraries that the program needs at its start, into one file.
 * If one of 2000 pages has changed, loading 160 separate modules would take an eighth of the export's time. Bundles the
 * scripts of pages that contain code of the exporter into others. Runs after every compilation. Also writes the
 * notices of exported sites and, with `--notices FOLDER`, the notices of the bundled libraries into that folder.
 */
import { Buffer } from "node:buffer";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { rendererFingerprint } from "./dist/render/layout/theme-files.js";
import { siteNotices } from "./site-notices.mjs";

const dist = new URL("./dist/", import.meta.url);

/**
 * Looks up the parser's library for this system from the parser's package, because some package managers find the
 * library only from there.
 */
const nativeParser = {
    name: "native-parser",
    setup({ onLoad }) {
        onLoad({ filter: /[\\/]satteri[\\/]index\.js$/ }, async ({ path }) => {
            const own = "createRequire(import.meta.url)";
            const source = await readFile(path, "utf8");
            if (!source.includes(own)) {
                throw new Error(`${path} loads its native library in another way now`);
            }
            return { contents: source.replace(own, `createRequire(${own}.resolve("satteri"))`) };
        });
    },
};

const shared = {
    absWorkingDir: fileURLToPath(dist),
    outdir: "bundled",
    // The extension is not .js, because the build removes .js files that the compiler did not write.
    outExtension: { ".js": ".mjs" },
    entryNames: "[name]",
    bundle: true,
    logLevel: "error",
    metafile: true,
    write: false,
};

const theme = await build({
    ...shared,
    entryPoints: ["../theme/cut-text.js", "../theme/search-index.js", "../theme/try-it.js"],
    format: "iife",
    platform: "browser",
    target: "es2022",
});

const processes = await build({
    ...shared,
    entryPoints: ["process/export-process-main.js"],
    format: "esm",
    platform: "node",
    target: "node22.13",
    banner: {
        js:
            "// Contains libraries as well; their licences are in THIRD-PARTY-NOTICES.txt of the package with the " +
            // CommonJS modules call `require`, which ES modules lack.
            'command.\nimport { createRequire as ownRequire } from "node:module";\n' +
            "const require = ownRequire(import.meta.url);",
    },
    // The exporter loads these packages only for sites that use code or Tailwind classes. `@jitl/*` calls `require`,
    // which ES modules lack.
    external: ["@bruits/*", "@unocss/*", "quickjs-emscripten-core", "@jitl/*"],
    plugins: [nativeParser],
    define: { bundledFingerprint: JSON.stringify(rendererFingerprint()) },
});

const notices = {
    path: fileURLToPath(new URL("bundled/site-notices.txt", dist)),
    contents: Buffer.from(siteNotices()),
};

// Writes only differences, because other processes may be reading the file.
for (const { path, contents } of [...theme.outputFiles, ...processes.outputFiles, notices]) {
    const written = await readFile(path).catch(() => undefined);
    if (!written?.equals(contents)) {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, contents);
    }
}

const [option, folder] = process.argv.slice(2);
if (option === "--notices" && folder !== undefined) {
    const { writeNotices } = await import("../dev/toolchain/third-party-notices.mjs");
    const inputs = { ...theme.metafile.inputs, ...processes.metafile.inputs };
    const outputs = { ...theme.metafile.outputs, ...processes.metafile.outputs };
    writeNotices({
        metafile: { inputs, outputs },
        workingFolder: fileURLToPath(dist),
        artifact: "static-export",
        folder,
    });
}
