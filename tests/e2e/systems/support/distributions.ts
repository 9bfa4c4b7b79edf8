import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run, withTemporaryFolder } from "@pulumi-static-export/toolchain";
import { isLongest } from "../../../scale.js";

/** A Linux distribution with systemd and Debian packages. */
export interface Distribution {
    readonly name: string;
    /** The kernel and the programs that start it. */
    readonly packages: readonly string[];
    /** Files of docs/guides/your-builder.md that only this distribution needs. */
    readonly guideFiles: readonly string[];
    /** Whether `SPEC_SCALE=2` also runs the builds of a service that is root. */
    readonly runsAsRoot: boolean;
    /** Returns the reason why this machine cannot boot it. */
    readonly findFault?: () => Promise<string | undefined>;
    /** Calls `use` with the arguments of mmdebstrap that name the release and its packages. */
    readonly withSources: (use: (release: string, source: string) => Promise<unknown>) => Promise<void>;
}

const base = ["systemd-sysv", "dbus"];

/** The release of this machine. */
export const debian: Distribution = {
    name: "Debian",
    packages: [...base, "linux-image-cloud-amd64"],
    guideFiles: [],
    runsAsRoot: true,
    withSources: async (use) => {
        const { VERSION_CODENAME: name = "" } = Object.fromEntries(
            (await readFile("/etc/os-release", "utf8")).split("\n").map((line) => line.split("=")),
        ) as Record<string, string>;
        await use(name, "/etc/apt/sources.list.d/debian.sources");
    },
};

const ubuntuArchive = "http://archive.ubuntu.com/ubuntu";
const ubuntuKeys = {
    path: "pool/main/u/ubuntu-keyring/ubuntu-keyring_2023.11.28.1_all.deb",
    sha256: "36de43b15853ccae0028e9a767613770c704833f82586f28eb262f0311adb8a8",
};

export const ubuntu: Distribution = {
    name: "Ubuntu 24.04",
    packages: [...base, "linux-image-virtual", "initramfs-tools", "apparmor"],
    guideFiles: ["user-namespaces.sh"],
    runsAsRoot: false,
    findFault: async () => {
        if (!isLongest) {
            return "the machine needs a quarter of an hour: SPEC_SCALE=2 starts it";
        }
        const request = { method: "HEAD", signal: AbortSignal.timeout(20_000) };
        const answer = await fetch(`${ubuntuArchive}/${ubuntuKeys.path}`, request).catch(() => undefined);
        return answer?.ok === true ? undefined : `${ubuntuArchive} cannot be reached`;
    },
    withSources: (use) =>
        withTemporaryFolder("ubuntu-keys-", async (folder) => {
            const response = await fetch(`${ubuntuArchive}/${ubuntuKeys.path}`);
            const content = Buffer.from(await response.arrayBuffer());
            if (createHash("sha256").update(content).digest("hex") !== ubuntuKeys.sha256) {
                throw new Error(`${response.url} is not the expected file (status ${response.status}).`);
            }
            const file = join(folder, "keys.deb");
            await writeFile(file, content);
            await run("dpkg-deb", ["-x", file, folder]);
            const keys = join(folder, "usr/share/keyrings/ubuntu-archive-keyring.gpg");
            await use("noble", `deb [signed-by=${keys}] ${ubuntuArchive} noble main universe`);
        }),
};
