import { amount, isBucketSite } from "@pulumi-static-export/contract";
import { type OtherChange, type PreviewReport } from "../preview/preview-report.js";

/** The number of a preview's changes, as readers count them. */
export interface Counts {
    exports: number;
    adopted: number;
    resumed: number;
    renewed: number;
    perhapsExported: number;
    installed: number;
    rolled: number;
    perhapsRolled: number;
    upgraded: number;
    imported: number;
    firstPublished: number;
    published: number;
    takenDown: number;
    replaced: number;
    deleted: number;
    others: number;
    broken: number;
    errors: number;
}

function countChanges({ exports, releases, others, policies, errors }: PreviewReport): Counts {
    const exported = (...effects: string[]) => exports.filter(({ effect }) => effects.includes(effect)).length;
    const released = (...effects: string[]) => releases.filter(({ effect }) => effects.includes(effect)).length;
    const all = [...exports, ...releases, ...others];
    const replaced = all.filter((each) => each.kind === "replace" && !isRoutine(each)).length;
    const deleted = all.filter(({ kind }) => kind === "delete" || kind === "forget").length;
    return {
        exports: exported("export"),
        adopted: exported("adopt"),
        resumed: exported("resume"),
        renewed: exported("renew"),
        perhapsExported: exported("perhaps"),
        installed: releases.filter(({ effect, kind }) => effect === "install" && kind !== "replace").length,
        rolled: released("roll"),
        perhapsRolled: released("perhaps"),
        upgraded: released("settings"),
        imported: released("import"),
        takenDown: released("down"),
        replaced,
        deleted,
        firstPublished: others.filter((other) => isPublication(other) && other.kind !== "update").length,
        published: others.filter((other) => isPublication(other) && other.kind === "update").length,
        others: others.filter((other) => !isObjectionable(other) && !isPublication(other)).length,
        broken: policies.results.filter(({ level }) => level === "mandatory").length,
        errors: errors.length,
    };
}

/** Whether a change removes something, so that a reviewer must look at it. */
export function isObjectionable(change: OtherChange): boolean {
    const { kind } = change;
    return kind === "delete" || kind === "forget" || (kind === "replace" && !isRoutine(change));
}

/** Whether a change sends a site to the host where readers get it. */
export function isPublication({ type, kind }: OtherChange): boolean {
    return isBucketSite({ type }) && (kind === "create" || kind === "update" || kind === "replace");
}

/** Whether a replacement is routine: every export replaces mirrors' copies and the checks of bundles. */
function isRoutine(change: { kind: string; note?: unknown }): boolean {
    return change.note !== undefined;
}

const nothing = "no export runs and nothing rolls out";

/**
 * The verdict, without the name of the stack: the pages that become public or private, then the changes in one
 * sentence.
 */
export function verdictOf(report: PreviewReport): string {
    const readers = listReaderChanges(report);
    return readers.length === 0 ? changesOf(report) : `${readers.join(", ")}. ${changesOf(report)}`;
}

/** Describes the pages that become public or private. */
function listReaderChanges({ pages }: PreviewReport): string[] {
    return listAmounts([
        [pages?.becomePublic.length ?? 0, "page becomes public", "pages become public"],
        [pages?.becomePrivate.length ?? 0, "page becomes private", "pages become private"],
    ]);
}

function changesOf(report: PreviewReport): string {
    const counts = countChanges(report);
    const changes = listChanges(counts);
    switch (report.outcome) {
        case "unchanged":
            return `Nothing changes: ${nothing}`;
        case "renewal":
            return `${amount(counts.renewed, "link is", "links are")} renewed and nothing else changes: ${nothing}`;
        case "failed": {
            const errors = counts.errors > 0 ? ` with ${amount(counts.errors, "error", "errors")}` : "";
            const rules = counts.broken > 0 ? `, and ${brokenRules(counts)}` : "";
            return `The preview failed${errors}${rules}${changes.length > 0 ? `; before that: ${changes.join(", ")}` : ""}`;
        }
        case "rule-broken":
            return [brokenRules(counts), ...(changes.length > 0 ? [changes.join(", ")] : [])].join("; ");
        case "changes":
            return changes.length > 0 ? upperFirst(changes.join(", ")) : "Only stack outputs change";
    }
}

function brokenRules({ broken }: Counts): string {
    return `${amount(broken, "mandatory rule is", "mandatory rules are")} broken`;
}

function listChanges(counts: Counts): string[] {
    return listAmounts([
        [counts.takenDown, "site is taken down", "sites are taken down"],
        [counts.replaced, "resource is replaced", "resources are replaced"],
        [counts.deleted, "resource is deleted", "resources are deleted"],
        [counts.exports, "export runs", "exports run"],
        [counts.adopted, "job is adopted", "jobs are adopted"],
        [counts.resumed, "job is resumed", "jobs are resumed"],
        [counts.renewed, "link is renewed", "links are renewed"],
        [counts.perhapsExported, "export may run", "exports may run"],
        [counts.installed, "release is installed", "releases are installed"],
        [counts.rolled, "release rolls out", "releases roll out"],
        [counts.perhapsRolled, "release may roll out", "releases may roll out"],
        [counts.upgraded, "release is upgraded", "releases are upgraded"],
        [counts.imported, "release is imported", "releases are imported"],
        [counts.firstPublished, "site is published in a new place", "sites are published in new places"],
        [counts.published, "site is published again", "sites are published again"],
        [counts.others, "other change", "other changes"],
    ]);
}

function listAmounts(parts: readonly (readonly [number, string, string])[]): string[] {
    return parts.filter(([count]) => count > 0).map(([count, one, many]) => amount(count, one, many));
}

function upperFirst(text: string): string {
    return text.slice(0, 1).toUpperCase() + text.slice(1);
}
