import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { fixture } from "./support.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** An npm that "installs" this Node.js under the name of the wanted package, and records its arguments. */
const installingNpm = `#!/bin/sh
echo "$*" >> npm-calls
for last; do :; done
mkdir -p "$3/node_modules/\${last%@*}/bin"
printf '#!/bin/sh\\nunset NODE_OPTIONS\\nexec "%s" "$@"\\n' "$REAL_NODE" > "$3/node_modules/\${last%@*}/bin/node"
chmod +x "$3/node_modules/\${last%@*}/bin/node"
cp npm-calls "$RECORD"
`;

describe("A script that an unsupported Node.js starts", () => {
    let clone: string;

    const start = (npm: string, script: readonly string[] = ["script.mjs", "one", "two"]) =>
        new Promise<{ exitCode: number; stdout: string; stderr: string }>((resolve) => {
            void writeFile(path.join(clone, "bin", "npm"), npm, { mode: 0o755 }).then(() => {
                const args = [path.join(clone, "dev", "toolchain", "start.mjs"), ...script];
                const env = {
                    ...process.env,
                    PATH: [path.join(clone, "bin"), process.env["PATH"]].join(path.delimiter),
                    STATIC_EXPORT_CACHE_DIR: path.join(clone, "cache"),
                    NODE_OPTIONS: `--require=${fixture("node-version.cjs")}`,
                    NODE_VERSION_SAID: "20.20.2",
                    REAL_NODE: process.execPath,
                    RECORD: path.join(clone, "npm-calls"),
                };
                const child = execFile(process.execPath, args, { cwd: clone, env }, (_error, stdout, stderr) =>
                    resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
                );
            });
        });

    beforeEach(async () => {
        clone = await mkdtemp(path.join(tmpdir(), "static-export-start-"));
        await mkdir(path.join(clone, "bin"));
        for (const file of [".nvmrc", "dev/toolchain/start.mjs", "dev/toolchain/node-version.mjs"]) {
            await cp(path.join(root, file), path.join(clone, file));
        }
        await writeFile(
            path.join(clone, "dev/toolchain/bootstrap.mjs"),
            "export const bootstrap = () => console.log('compiled');\n",
        );
        await mkdir(path.join(clone, "node_modules/tsx"), { recursive: true });
        await writeFile(path.join(clone, "node_modules/tsx/index.js"), "");
        await writeFile(path.join(clone, "script.mjs"), "console.log(process.argv.slice(2).join());\n");
    });
    afterEach(() => rm(clone, { recursive: true }));

    it("continues with the Node.js of .nvmrc, which npm installs into the cache once", async () => {
        const first = await start(installingNpm);
        const version = (await readFile(path.join(root, ".nvmrc"), "utf8")).trim();
        assert.equal(first.stderr, "");
        assert.equal(
            first.stdout,
            `This is Node.js 20.20.2. Installing Node.js ${version} from npm …\ncompiled\none,two\n`,
        );
        assert.match(await readFile(path.join(clone, "npm-calls"), "utf8"), new RegExp(`@${version}\n$`));
        assert.equal((await start("#!/bin/sh\nexit 1\n")).stdout, "compiled\none,two\n");
    });

    it("only compiles if no script is named, as `npm run build` does", async () => {
        const { exitCode, stdout } = await start(installingNpm, []);
        assert.equal(exitCode, 0);
        assert.match(stdout, /compiled\n$/);
    });

    it("names the supported versions if npm cannot install one", async () => {
        const { exitCode, stderr } = await start("#!/bin/sh\nexit 1\n");
        assert.equal(exitCode, 1);
        assert.match(stderr, /^Node\.js 22\.13 or later, or 24 or later, is needed, but this is 20\.20\.2\. .*\n$/);
    });
});

describe("The supported versions of Node.js", () => {
    const read = (file: string) => readFile(path.join(root, file), "utf8");

    it("are the same in every package", async () => {
        const { workspaces, engines } = JSON.parse(await read("package.json")) as {
            workspaces: string[];
            engines: { node: string };
        };
        for (const folder of workspaces) {
            const manifest = JSON.parse(await read(`${folder}/package.json`)) as { engines: { node: string } };
            assert.equal(manifest.engines.node, engines.node, folder);
        }
        assert.match(
            await read("contract/src/supported-versions.ts"),
            new RegExp(`"${engines.node.replace(/[|^.]/g, "\\$&")}"`),
        );
    });

    it("include the one of .nvmrc, which the image uses", async () => {
        const version = (await read(".nvmrc")).trim();
        assert.match(await read("Dockerfile"), new RegExp(`^ARG BASE=node:${version}-`, "m"));
        assert.equal((JSON.parse(await read("dev/image/image.json")) as { node: string }).node, version);
    });
});
