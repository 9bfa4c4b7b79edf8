import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ensureNpmPackage } from "@pulumi-static-export/toolchain";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const compiler = join(root, "node_modules/typescript/bin/tsc");
const mocks = fileURLToPath(new URL("run-under-mocks.cjs", import.meta.url));

/** A resource that a program declares. */
export interface Declared {
    readonly type: string;
    readonly name: string;
    readonly inputs: Readonly<Record<string, unknown>>;
}

/** A program in examples/ with the SDK of its cloud, in a temporary folder. */
export class CloudExample {
    readonly name: string;
    readonly folder: string;

    private constructor(name: string, folder: string) {
        this.name = name;
        this.folder = folder;
    }

    static async open(name: string): Promise<CloudExample> {
        const folder = await mkdtemp(join(tmpdir(), `cloud-example-${name}-`));
        await cp(join(root, "examples", name), folder, { recursive: true });
        const { dependencies } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
            dependencies: Record<string, string>;
        };
        const [sdk, range] = Object.entries(dependencies).find(([each]) => /^@pulumi\/(?!pulumi$)/.test(each))!;
        const installed = await ensureNpmPackage({ name: sdk, version: range.replace("^", "") });
        // The SDK and our package share one copy of @pulumi/pulumi, as after `npm install`.
        await linkPackages(join(root, "node_modules"), join(folder, "node_modules"));
        await linkPackages(dirname(dirname(installed)), join(folder, "node_modules"));
        return new CloudExample(name, folder);
    }

    write(file: string, text: string): Promise<void> {
        return writeFile(join(this.folder, file), text);
    }

    read(file: string): Promise<string> {
        return readFile(join(this.folder, file), "utf8");
    }

    /** Checks the types of these files against the cloud's SDK, and compiles them. Returns the compiler's errors. */
    async compile(...files: string[]): Promise<string[]> {
        const settings = JSON.parse(await this.read("tsconfig.json")) as { compilerOptions: object };
        const compilerOptions = { ...settings.compilerOptions, noEmit: false, preserveSymlinks: true, types: ["node"] };
        await this.write("tsconfig.json", JSON.stringify({ compilerOptions, files }));
        const compiling = promisify(execFile)(process.execPath, [compiler, "-p", "."], { cwd: this.folder });
        const output = await compiling.then(
            () => "",
            (error: { stdout: string }) => error.stdout,
        );
        // The compiler would find the workspace's packages as sources, which only compile with their own settings.
        return output.split("\n").filter((line) => /^(?!node_modules\/)\S.*error TS/.test(line));
    }

    /** Runs a compiled program with mocks in place of an engine. */
    async run(config: Readonly<Record<string, string>>, program = "index.js"): Promise<Declared[]> {
        const keys = Object.entries(config).map(([key, value]) => [`example:${key}`, value]);
        const runner = join(this.folder, "run-under-mocks.cjs");
        const args = ["--preserve-symlinks", "--preserve-symlinks-main", runner];
        await cp(mocks, runner);
        const { stdout } = await promisify(execFile)(process.execPath, [...args, `./${program}`], {
            cwd: this.folder,
            env: { ...process.env, PULUMI_CONFIG: JSON.stringify(Object.fromEntries(keys)) },
        });
        return stdout.split("\n").flatMap((line) => (line.startsWith("{") ? (JSON.parse(line) as Declared) : []));
    }

    async remove(): Promise<void> {
        await rm(this.folder, { recursive: true, force: true });
    }
}

/** Links all missing packages of a node_modules folder. */
async function linkPackages(from: string, to: string): Promise<void> {
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from)) {
        if (name.startsWith("@")) {
            await linkPackages(join(from, name), join(to, name));
        } else if (!name.startsWith(".")) {
            await symlink(join(from, name), join(to, name)).catch((error: NodeJS.ErrnoException) => {
                if (error.code !== "EEXIST") {
                    throw error;
                }
            });
        }
    }
}
