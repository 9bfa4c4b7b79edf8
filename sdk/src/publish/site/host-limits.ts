import { amount } from "@pulumi-static-export/contract";
import { quoteName } from "../../bundle/entry-path.js";
import type { Inventory } from "../records/inventory.js";

/**
 * The limits of Cloudflare Pages on 2026-11-29:
 * https://developers.cloudflare.com/pages/platform/limits/ (files),
 * https://developers.cloudflare.com/pages/configuration/redirects/ and
 * https://developers.cloudflare.com/pages/configuration/headers/ (rules).
 * A spec compares the table in docs/guides/any-static-host.md.
 */
export const pagesLimits = {
    files: 20_000,
    filesOnPaidPlans: 100_000,
    fileMebibytes: 25,
    plainRedirects: 2000,
    patternRedirects: 100,
    redirectCharacters: 1000,
    headerRules: 100,
} as const;

const elsewhere = "publish to a bucket, such as R2 with examples/cloudflare/worker.js";
const fewer =
    "Replace several by one with a pattern, or redirect them with Bulk Redirects or a worker (examples/cloudflare/worker.js).";

/**
 * Describes what Cloudflare Pages or Netlify does not accept of a site, and what to do.
 *
 * @param redirects - the text of `_redirects`
 */
export function findRefusedByHosts(files: Inventory, redirects = ""): string[] {
    const [named, large]: [string[], string[]] = [[], []];
    for (const [path, { sizeBytes }] of files) {
        if (/[#?]/.test(path)) {
            named.push(path);
        }
        if (sizeBytes > pagesLimits.fileMebibytes * 1024 ** 2) {
            large.push(path);
        }
    }
    const describe = (paths: readonly string[], why: string, advice: string) =>
        paths.length === 0
            ? []
            : [`${why}: ${amount(paths.length, "file", "files")}, such as ${quoteName(paths[0]!)}. ${advice}`];
    const limit = (count: number, max: number, what: string, advice: string) =>
        count <= max ? [] : [`Cloudflare Pages takes ${max} ${what}, and the site has ${count}. ${advice}`];
    const rules = redirects.split("\n").filter((rule) => rule !== "");
    const patterns = rules.filter((rule) => /^\S*(\*|\/:)/.test(rule)).length;
    const long = rules.filter((rule) => rule.length > pagesLimits.redirectCharacters).length;
    const { files: maxFiles, plainRedirects, patternRedirects, redirectCharacters } = pagesLimits;
    return [
        ...describe(named, "Netlify refuses names with # or ?", "Rename them."),
        ...describe(
            large,
            `Cloudflare Pages refuses files of more than ${pagesLimits.fileMebibytes} MiB`,
            `Link to a file in a bucket instead, or ${elsewhere}.`,
        ),
        ...limit(
            files.size,
            maxFiles,
            `files (${pagesLimits.filesOnPaidPlans} on paid plans)`,
            `For more, ${elsewhere}.`,
        ),
        ...limit(rules.length - patterns, plainRedirects, "redirects without patterns", fewer),
        ...limit(patterns, patternRedirects, "redirects with patterns", fewer),
        ...(long === 0
            ? []
            : [
                  `Cloudflare Pages ignores redirects of more than ${redirectCharacters} characters: the site has ` +
                      `${long}. Shorten their addresses.`,
              ]),
    ];
}
