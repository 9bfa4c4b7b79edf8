import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { posix } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import type { Sbom } from "../../../dev/release/artifacts/sboms.js";
import { unpackTarball } from "./support/tarball.js";
import { packPackages, type PackedPackages } from "./support/packed-packages.js";

const names = ["sdk", "provider", "policy", "cli"] as const;

interface Manifest {
    type?: string;
    dependencies?: Record<string, string>;
}

describe("the output of npm run pack", () => {
    let packed: PackedPackages;

    before(async () => {
        packed = await packPackages();
    });

    for (const name of names) {
        describe(name, () => {
            let files: Map<string, Buffer>;
            let manifest: Manifest;

            before(async () => {
                files = await unpackTarball(packed[name]);
                manifest = JSON.parse(String(files.get("package.json"))) as Manifest;
            });

            it("contains its licence, a README and the changelog of its own changes", () => {
                assert.match(String(files.get("LICENSE")), /Apache License\s+Version 2\.0/);
                assert.match(String(files.get("README.md")), /^# /);
                assert.match(String(files.get("CHANGELOG.md")), /^# Changelog/);
                assert.doesNotMatch(String(files.get("CHANGELOG.md")), /^#### Charts/m);
            });

            it("contains no build records of the compiler, no sources and no source maps", () => {
                const unwanted = [...files.keys()].filter((path) =>
                    /tsbuildinfo|^src\/|(?<!\.d)\.ts$|\.[cm]?js\.map$/.test(path),
                );
                assert.deepEqual(unwanted, []);
                const mapped = [...files].filter(
                    ([path, code]) => /\.[cm]?js$/.test(path) && /^\/\/# sourceMappingURL=/m.test(String(code)),
                );
                assert.deepEqual(
                    mapped.map(([path]) => path),
                    [],
                );
            });

            it("declares whether it is CommonJS", () => {
                assert.equal(manifest.type, name === "cli" ? "module" : "commonjs");
            });

            it("requests no package of this project from the registry", () => {
                const asked = Object.keys(manifest.dependencies ?? {});
                assert.deepEqual(
                    asked.filter((dependency) => dependency.includes("static-export")),
                    [],
                );
            });

            it("passes publint", async () => {
                const tarball = new Uint8Array(await readFile(packed[name])).buffer;
                const { messages } = await publint({ pack: { tarball }, strict: true });
                assert.deepEqual(messages, []);
            });
        });
    }

    it("contains the notices and the SBOM of exactly the libraries in its bundles: cli", async () => {
        const files = await unpackTarball(packed.cli);
        // The bundler writes each module's path before its code.
        const bundled = [...files]
            .filter(([path]) => /\/bundled\/.*\.mjs$/.test(path))
            .flatMap(([, text]) => [...String(text).matchAll(/^ *\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)])
            .map(([, name]) => name);
        const { components } = JSON.parse(String(files.get("sbom.cdx.json"))) as Sbom;
        const others = components
            .filter(({ group }) => group !== "@pulumi-static-export")
            .map(({ group, name, version }) => ({ name: group === undefined ? name : `${group}/${name}`, version }));
        assert.deepEqual(others.map(({ name }) => name).sort(), [...new Set(bundled)].sort());
        for (const { name, version } of others) {
            assert.match(String(files.get("THIRD-PARTY-NOTICES.txt")), new RegExp(`^${name} ${version} \\(`, "m"));
        }
    });

    for (const name of ["sdk", "provider"] as const) {
        it(`provides types for every kind of module resolution: ${name}`, async () => {
            const tarball = new Uint8Array(await readFile(packed[name]));
            const analysis = await checkPackage(createPackageFromTarballData(tarball));
            assert.ok(analysis.types);
            assert.deepEqual(analysis.problems, []);
        });
    }

    it("declares the provider's classes so that Pulumi's own TypeScript reads them", async () => {
        const files = await unpackTarball(packed.provider);
        const read = new Set<string>();
        const faults: string[] = [];
        const queue = ["dist/index.d.ts", "dist/site.d.ts"];
        for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
            const text = files.get(file)?.toString();
            if (text === undefined || read.has(file)) {
                continue;
            }
            read.add(file);
            const { parseDiagnostics } = pulumiTypescript.createSourceFile(file, text, 6);
            faults.push(...parseDiagnostics.map(({ messageText }) => `${file}: ${JSON.stringify(messageText)}`));
            for (const [, path = ""] of text.matchAll(/(?:from |import\()"(\.[^"]*)\.js"/g)) {
                queue.push(posix.join(posix.dirname(file), `${path}.d.ts`));
            }
        }
        assert.ok(read.size > 40, `${read.size}`);
        assert.deepEqual(faults, []);
    });
});

/** The compiler that Pulumi brings along. It ignores faults in declarations, and reads something else. */
const pulumiTypescript = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"))(
    "./vendor/typescript@3.8.3/typescript.js",
) as {
    createSourceFile(file: string, text: string, target: number): { parseDiagnostics: { messageText: unknown }[] };
};
