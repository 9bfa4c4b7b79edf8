import { execFile } from "node:child_process";
import { mkdtemp, readdir } from "node:fs/promises";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const files = {
    sdk: /^pulumi-static-export-sdk-\d.*\.tgz$/,
    provider: /^pulumi-static-export-\d.*\.tgz$/,
    policy: /^pulumi-static-export-policy-\d.*\.tgz$/,
    cli: /^pulumi-static-export-cli-\d.*\.tgz$/,
};

export type PackedPackages = Record<keyof typeof files, string>;

let packed: Promise<PackedPackages> | undefined;

/** Returns the files that `npm run pack` writes; packs them once for all specs of the process. */
export function packPackages(): Promise<PackedPackages> {
    return (packed ??= pack());
}

async function pack(): Promise<PackedPackages> {
    const folder = await mkdtemp(join(tmpdir(), "static-export-packed-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    await promisify(execFile)("npm", ["run", "pack", "--", "--pack-destination", folder], { cwd: root });
    const names = await readdir(folder);
    return Object.fromEntries(
        Object.entries(files).map(([name, pattern]) => {
            const file = names.find((each) => pattern.test(each));
            if (file === undefined) {
                throw new Error(`npm run pack wrote no file for ${name}, but ${names.join(", ")}`);
            }
            return [name, join(folder, file)];
        }),
    ) as PackedPackages;
}
