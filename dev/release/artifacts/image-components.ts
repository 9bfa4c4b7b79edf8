import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run, withTemporaryFolder } from "@pulumi-static-export/toolchain";
import image from "../../image/image.json" with { type: "json" };
import { describePackages } from "../../toolchain/third-party-notices.mjs";

/** A package in CycloneDX's format. */
export interface Component {
    readonly type: "application" | "container" | "library";
    readonly group?: string;
    readonly name: string;
    readonly version?: string;
    readonly purl?: string;
    readonly licenses?: readonly unknown[];
}

/** Adds the zeros at the end that tar requires and umoci 0.4 does not write. */
const unpack = `(gzip -dc "$1"; head -c 2048 /dev/zero) | tar -xf - -C "$2" --no-same-owner --exclude='dev/*'`;

interface Manifest {
    readonly layers: readonly { readonly digest: string }[];
}

/**
 * Lists Node.js, the npm packages and the Debian packages in an image.
 *
 * @param layout - an OCI layout with one image
 */
export async function componentsOfImage(layout: string): Promise<Component[]> {
    const blob = (digest: string) => join(layout, "blobs", digest.replace(":", "/"));
    const { layers } = JSON.parse(readFileSync(blob(manifestDigest(layout)), "utf8")) as Manifest;
    return withTemporaryFolder("static-export-image-", async (root) => {
        for (const { digest } of layers) {
            await run("sh", ["-c", unpack, "sh", blob(digest), root]);
        }
        const node: Component = {
            type: "application",
            name: "node",
            version: image.node,
            purl: `pkg:generic/node@${image.node}`,
        };
        return [node, ...npmComponents(join(root, image.folder)), ...debianComponents(root)];
    });
}

/** Returns the digest of the only image in an OCI layout. */
export function manifestDigest(layout: string): string {
    const { manifests } = JSON.parse(readFileSync(join(layout, "index.json"), "utf8")) as {
        manifests: { digest: string }[];
    };
    const [manifest, ...others] = manifests;
    if (manifest === undefined || others.length > 0) {
        throw new Error(`${layout} has ${manifests.length} images, but a release publishes only one.`);
    }
    return manifest.digest;
}

function npmComponents(folder: string): Component[] {
    return describePackages(folder).map(({ group, name, version, licenses }) => ({
        type: "library",
        ...(group === undefined ? {} : { group }),
        name,
        version,
        purl: `pkg:npm/${group === undefined ? "" : `${group.replace("@", "%40")}/`}${name}@${version}`,
        licenses,
    }));
}

/** Reads dpkg's list, or the files that replace the list in images without dpkg. */
function debianComponents(root: string): Component[] {
    const dpkg = join(root, "var", "lib", "dpkg");
    const separate = join(dpkg, "status.d");
    const files = existsSync(separate)
        ? readdirSync(separate).map((name) => join(separate, name))
        : [join(dpkg, "status")];
    const paragraphs = files.flatMap((file) => readFileSync(file, "utf8").trim().split(/\n\n+/));
    return paragraphs
        .filter((text) => / installed$/m.test(/^Status: .*/m.exec(text)?.[0] ?? ""))
        .map((text): Component => {
            const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(text)?.[1] ?? "";
            const [name, version] = [field("Package"), field("Version")];
            const place = `${name}@${encodeURIComponent(version)}?arch=${field("Architecture")}`;
            return { type: "library", name, version, purl: `pkg:deb/debian/${place}` };
        })
        .sort((one, other) => one.name.localeCompare(other.name));
}
