import { type ExportChange, type ExportEffect, type FromTo } from "../preview/explain/explain-export.js";
import { type ReleaseChange, type ReleaseEffect } from "../preview/explain/explain-release.js";
import { type OtherChange, type PreviewReport } from "../preview/preview-report.js";
import { type ChangeKind } from "../preview/log/resource-change.js";
import { line, type Section } from "./fit-sections.js";
import { isObjectionable, isPublication } from "./verdict.js";
import { type Writer } from "./writer.js";

const clearKey =
    "**The admin API key is in plain text in the stack's configuration**, and so in the repository and in the state. " +
    "Replace the key on the platform, and set the new one with " +
    "`pulumi config set --secret static-export:adminApiKey`.";

/** The sections with errors, replacements and deletions. */
export function troubleSections(report: PreviewReport, writer: Writer): Section[] {
    const sections: Section[] = [];
    if (report.hasClearAdminKey) {
        sections.push({ heading: "", rows: [clearKey] });
    }
    const errors = report.errors.map(({ resource, message }) =>
        [...(resource === undefined ? [] : [writer.code(resource)]), writer.block(message)].join("\n\n"),
    );
    if (report.isIncomplete) {
        errors.push("The log ends before the preview did: this report may be incomplete.");
    }
    if (errors.length > 0) {
        sections.push({ heading: "#### What failed", rows: errors });
    }
    const rows = [
        ...report.exports.filter(isTakenAway).map((change) => exportRow(change, writer)),
        ...report.releases.filter(isTakenDown).map((change) => releaseTroubleRow(change, writer)),
        ...report.others.filter(isObjectionable).map((change) => otherRow(change, writer)),
    ];
    if (rows.length > 0) {
        const columns = ["Resource", "What happens", "Why"];
        sections.push({ heading: "#### Replaced, deleted or taken down", columns, rows });
    }
    return sections;
}

function isTakenAway({ kind }: ExportChange): boolean {
    return kind === "replace" || kind === "delete" || kind === "forget";
}

function isTakenDown({ kind, effect }: ReleaseChange): boolean {
    return kind === "replace" || effect === "uninstall" || effect === "down";
}

function exportRow({ name, kind, domain, reasons }: ExportChange, writer: Writer): string {
    const before = domain.from === undefined ? "its last export" : `the export of ${writer.code(domain.from)}`;
    const why = reasons.map((reason) => writer.phrase(reason)).join("; ");
    return kind === "replace"
        ? line([`export ${writer.code(name)}`, `replaced; Pulumi forgets ${before}`, why])
        : line([
              `export ${writer.code(name)}`,
              `removed from the state without a request; ${before} is not deleted`,
              why,
          ]);
}

function releaseTroubleRow({ name, kind, effect, reasons }: ReleaseChange, writer: Writer): string {
    const what = effect === "down" ? "the site is taken down" : "uninstalled, and its site with it";
    const why = reasons.map((reason) => writer.phrase(reason)).join("; ");
    return line([`release ${writer.code(name)}`, kind === "replace" ? "uninstalled, then installed again" : what, why]);
}

function otherRow(change: OtherChange, writer: Writer): string {
    const { type, name, kind, isProtected, isDeletedFirst, replacedBy } = change;
    const deletion = kind === "forget" ? "removed from the state, but not deleted" : "deleted";
    const replacement = isDeletedFirst ? "replaced: deleted first, then created again" : "replaced";
    const guard = isProtected ? "; **it is protected**" : "";
    const why = replacedBy.map((property) => writer.code(property)).join(", ");
    const what = kind === "replace" ? replacement : deletion;
    return line([`${writer.code(name)} ${writer.code(type)}`, what + guard, why]);
}

const exportEffects: Readonly<Record<ExportEffect, string>> = {
    export: "a new export job",
    adopt: "no new job: the bundle of the job in `jobId`",
    resume: "no new job: the running one is resumed",
    renew: "no job: a new link to the same export",
    store: "no job: the program's inputs are saved",
    perhaps: "may get another bundle: a preview cannot tell",
    delete: "nothing",
};

const notKnown = "A preview cannot show whether a job succeeds, how many pages it exports, or its link.";

export function exportSection({ exports }: PreviewReport, writer: Writer): Section[] {
    const rows = exports
        .filter(({ effect }) => effect !== "delete")
        .map(({ name, kind, domain, version, effect, reasons }) =>
            line([
                writer.code(name),
                fromTo(kind, domain, "–", writer),
                fromTo(kind, version, "latest", writer),
                exportEffects[effect],
                reasons.map((reason) => writer.phrase(reason)).join("; "),
            ]),
        );
    const runs = exports.some(({ effect }) => effect !== "renew" && effect !== "delete");
    const columns = ["Export", "Domain", "Version", "What happens", "Why"];
    return rows.length === 0 ? [] : [{ heading: "#### Exports", columns, rows, ...(runs ? { note: notKnown } : {}) }];
}

const releaseEffects: Readonly<Partial<Record<ReleaseEffect, string>>> = {
    install: "is installed",
    roll: "**rolls**: new pods, one by one",
    secret: "only its Secret changes: no pod restarts",
    perhaps: "may roll: a preview cannot tell",
    settings: "is upgraded",
    import: "is imported",
};

export function releaseSection({ releases }: PreviewReport, writer: Writer): Section[] {
    const rows = releases.flatMap(({ name, kind, effect, version, reasons }) => {
        const what = kind === "replace" ? undefined : releaseEffects[effect];
        const why = reasons.map((reason) => writer.phrase(reason)).join("; ");
        return what === undefined ? [] : [line([writer.code(name), fromTo(kind, version, "–", writer), what, why])];
    });
    const columns = ["Release", "Version served", "What happens", "Why"];
    return rows.length === 0 ? [] : [{ heading: "#### Releases", columns, rows }];
}

const publications: Readonly<Partial<Record<ChangeKind, string>>> = {
    create: "**published for the first time**",
    replace: "**published in another place**; the earlier place stays as it is",
    update: "published again",
};

export function publicationSection({ others }: PreviewReport, writer: Writer): Section[] {
    const rows = others
        .filter(isPublication)
        .map(({ name, kind, note }) =>
            line([writer.code(name), publications[kind] ?? kind, note === undefined ? "" : writer.phrase(note)]),
        );
    return rows.length === 0 ? [] : [{ heading: "#### Sites", columns: ["Site", "What happens", "Details"], rows }];
}

export function policySection({ policies }: PreviewReport, writer: Writer): Section[] {
    const rows = policies.results.map(({ level, severity, policy, resource, message }) =>
        line([
            [level === "mandatory" ? "❌ **mandatory**" : level, ...(severity ? [writer.code(severity)] : [])].join(
                " ",
            ),
            writer.code(policy),
            resource === undefined ? "the stack" : writer.code(resource.name),
            level === "remediated" ? "changed the resource to comply with the rule" : writer.message(message),
        ]),
    );
    const columns = ["Level", "Rule", "Resource", "What it says"];
    return rows.length === 0 ? [] : [{ heading: "#### Policies", columns, rows }];
}

function fromTo(kind: ChangeKind, { from, to }: FromTo, none: string, writer: Writer): string {
    const show = (value: string | undefined): string => (value === undefined ? none : writer.code(value));
    return from === to || kind === "create" || kind === "import" ? show(to) : `${show(from)} → ${show(to)}`;
}
