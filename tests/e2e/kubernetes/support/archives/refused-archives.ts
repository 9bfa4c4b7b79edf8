import { archive } from "../../../../charts/support/archives.js";
import { siteArchive } from "./site-archives.js";

interface Refused {
    readonly content: () => Promise<Buffer>;
    /** The message of the pod, and of the check before a rollout. */
    readonly says: { readonly pod: RegExp; readonly check: RegExp };
}

/** Bundles that no deployment may serve, by the version of their export. */
export const refused: Readonly<Record<"truncated" | "bomb" | "traversal" | "linked" | "exchanged", Refused>> = {
    truncated: {
        content: async () => {
            const whole = await siteArchive("truncated");
            return whole.subarray(0, whole.length / 2);
        },
        says: {
            pod: /the archive is incomplete or damaged/,
            check: /incomplete or damaged/,
        },
    },
    bomb: {
        // Twice the sites' size limit in this spec, in chunks of 64 KiB.
        content: () => archive([{ name: "index.html", content: Buffer.alloc(64 * 1024 * 1024) }]),
        says: {
            pod: /unpacks to more than fetch\.limits\.siteMiB \(32 MiB/,
            check: /unpacks to more than 33554432 bytes/,
        },
    },
    traversal: {
        content: () => archive([{ name: "guides/../../../escaped.html", content: "x" }]),
        says: { pod: /the entry ".*" has ".." in its path/, check: /escaped\.html/ },
    },
    linked: {
        content: () =>
            archive([
                { name: "index.html", content: "x" },
                { name: "start.html", type: "symlink", linkname: "index.html" },
            ]),
        says: { pod: /"start\.html" is a link/, check: /"start\.html" is a link/ },
    },
    exchanged: {
        content: () => siteArchive("exchanged"),
        says: { pod: /SHA-256 is [0-9a-f]{64}, but staticExport\.sha256 says 0{64}/, check: /SHA-256/ },
    },
};
