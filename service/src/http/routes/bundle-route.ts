import { parse as parseRange } from "range-parser";
import { Type } from "typebox";
import { type BundleLinks } from "../../storage/bundle-links.js";
import { type BundleStorage } from "../../storage/bundle-storage.js";
import { type SiteJobStore } from "../../exports/site-job-store.js";
import { type App } from "../protocol/typed-app.js";
import { RequestError } from "../protocol/request-error.js";
import { BundleParams, errorAnswers } from "../protocol/schemas.js";
import { bundleGone } from "./static-export-routes.js";

interface BundleRouteOptions {
    store: SiteJobStore;
    bundles: BundleStorage;
    /** Whether the storage creates its own links. */
    redirects: boolean;
    links: BundleLinks;
}

const Archive = {
    description: "The archive, or the requested part of it.",
    content: { "application/gzip": { schema: Type.Unsafe<unknown>({ type: "string", format: "binary" }) } },
};

const Redirect = Type.Unsafe<undefined>({
    type: "null",
    description: "The archive is in object storage, at the link in Location, which works for five minutes.",
    headers: { Location: { type: "string", format: "uri" } },
});

/** Serves archives for unexpired links that this service signed; the ETag is the digest. */
export function addBundleRoute(app: App, { store, bundles, redirects, links }: BundleRouteOptions): void {
    app.route({
        method: ["GET", "HEAD"],
        url: "/bundles/:file",
        config: { operation: "download" },
        schema: {
            summary: "Download a bundle by its presigned link",
            tags: ["Static export"],
            params: BundleParams,
            querystring: Type.Unsafe<{ expires?: unknown; signature?: unknown }>({
                type: "object",
                properties: { expires: { description: "Unix seconds" }, signature: {} },
            }),
            response: {
                200: Archive,
                206: Archive,
                ...(redirects ? { 302: Redirect } : {}),
                304: Type.Unsafe<undefined>({
                    type: "null",
                    description: "The archive is the one that If-None-Match names.",
                }),
                ...errorAnswers(403, 404, 409, 416, 500, 503),
            },
        },
        handler: async (request, reply) => {
            const { jobId, domain, ...archive } = await findLinked(request.params.file, request.query, {
                store,
                links,
            });
            const etag = `"${archive.sha256}"`;
            void reply.headers({ etag, "accept-ranges": "bytes", "cache-control": "private, no-cache" });
            if (isNotModified(request.headers["if-none-match"], etag)) {
                return reply.code(304).send(undefined);
            }
            const fileName = `${domain}-${jobId}.tar.gz`;
            const delivery = await bundles.deliver(archive, fileName);
            if (delivery === "missing") {
                throw bundleGone(jobId);
            }
            if (delivery === "damaged") {
                throw new RequestError(
                    409,
                    `The stored bundle is damaged: POST /v1/static-export/jobs/${jobId}/bundle exports it again.`,
                );
            }
            const isHead = request.method === "HEAD";
            if ("url" in delivery && !isHead) {
                return reply.code(302).headers({ location: delivery.url, "cache-control": "no-store" }).send(undefined);
            }
            const file = "file" in delivery ? delivery.file : undefined;
            const range = rangeOf(request.headers, etag, archive.sizeBytes);
            if (range === "unsatisfiable") {
                await file?.close();
                void reply.header("content-range", `bytes */${archive.sizeBytes}`);
                throw new RequestError(416, `The range lies outside of the bundle's ${archive.sizeBytes} bytes.`);
            }
            if (range !== undefined) {
                const { start, end } = range;
                void reply.code(206).header("content-range", `bytes ${start}-${end}/${archive.sizeBytes}`);
            }
            const { start, end } = range ?? { start: 0, end: archive.sizeBytes - 1 };
            void reply.headers({
                "content-type": "application/gzip",
                "content-length": end - start + 1,
                "content-disposition": `attachment; filename="${fileName}"`,
            });
            if (isHead) {
                await file?.close();
                return reply.send(undefined);
            }
            return reply.send(file?.createReadStream({ start, end }));
        },
    });
}

/** @throws RequestError for an invalid or expired link */
async function findLinked(
    file: string,
    { expires, signature }: { expires?: unknown; signature?: unknown },
    { store, links }: Pick<BundleRouteOptions, "store" | "links">,
): Promise<{ jobId: string; domain: string; sha256: string; sizeBytes: number }> {
    const [, jobId = ""] = /^(se_[0-9a-f]{1,64})\.tar\.gz$/.exec(file) ?? [];
    const verdict = await links.verify(jobId, expires, signature);
    if (verdict !== "valid") {
        throw new RequestError(
            403,
            verdict === "expired"
                ? `The bundle link has expired: POST /v1/static-export/jobs/${jobId}/bundle gives a fresh one.`
                : "This service did not issue the bundle link, or the link was changed.",
        );
    }
    const job = await store.get(jobId);
    if (job === undefined || job.sha256 === null || job.sizeBytes === null) {
        throw bundleGone(jobId);
    }
    return { jobId, domain: job.domain, sha256: job.sha256, sizeBytes: job.sizeBytes };
}

function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
    const tags = ifNoneMatch?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
    return tags.includes(etag) || tags.includes("*");
}

/** The bits of the parser's result. */
const malformed = 1;
const unsatisfiable = 2;

/**
 * Undefined if the response is the whole archive, because the request has no range, or a range that is stale,
 * malformed, or has several parts.
 */
function rangeOf(
    headers: { range?: string | undefined; "if-range"?: string | undefined },
    etag: string,
    size: number,
): { start: number; end: number } | "unsatisfiable" | undefined {
    if (headers.range === undefined || (headers["if-range"] ?? etag) !== etag) {
        return undefined;
    }
    const { code, type, ranges } = parseRange(size, headers.range);
    const [range, ...others] = ranges;
    if (range === undefined && code === unsatisfiable) {
        return "unsatisfiable";
    }
    return (code & malformed) !== 0 || type !== "bytes" || others.length > 0 ? undefined : range;
}
