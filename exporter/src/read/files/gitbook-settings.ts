import { posix } from "node:path";
import { type SiteWarning } from "../../problems/warning-log.js";
import { isRecord } from "../../text/json-values.js";
import { parseYaml } from "../../text/parse-yaml.js";
import { lineOfText } from "../../text/strings.js";
import { gitBookFile } from "./published-names.js";

/** The file at which GitBook, HonKit and mdBook expect a site's table of contents. */
export const defaultSummary = "SUMMARY.md";

/** A redirect from an old address to a file or an address. */
interface GitBookRedirect {
    readonly from: string;
    readonly to: string;
    readonly line: number | undefined;
}

export interface GitBookSettings {
    /** The folder with the site's content; empty for the folder of the settings. All other paths are relative to it. */
    readonly root: string;
    /** The first page; undefined for the usual one. */
    readonly readme: string | undefined;
    readonly summary: string;
    readonly redirects: readonly GitBookRedirect[];
    readonly problems: readonly SiteWarning[];
}

/** The settings that are read, by their paths. */
export const gitBookSettings = ["root", "structure.readme", "structure.summary", "redirects"];

/** Settings that were copied from a web page often contain spaces without a width, which nobody sees. */
const invisible = /[\u200B\uFEFF]/g;

/** Reads `.gitbook.yaml`. Invalid and unknown settings have no effect, with a warning. @param source empty for no file */
export function parseGitBookSettings(source: string): GitBookSettings {
    const text = source.replace(invisible, "");
    const problems: SiteWarning[] = [];
    const report = (key: string, reason: string): undefined => {
        const line = key === "" ? 1 : lineOfText(text, `${key}:`);
        problems.push({ kind: "settings", file: gitBookFile, line, reason });
    };
    const given = parse(text, report);
    if (given !== undefined && given !== null && !isRecord(given)) {
        report("", "nothing in this file has an effect: write settings by name, such as root: ./docs/");
    }
    const settings = recordOf(given);
    const structure = recordOf(settings["structure"]);
    const named = { root: settings["root"], readme: structure["readme"], summary: structure["summary"] };
    const paths = Object.entries(named).map(([key, value]) => [key, pathOf(key, value, report)] as const);
    const { root, readme, summary = defaultSummary } = Object.fromEntries(paths);
    const unknown = [
        ...Object.keys(settings).filter((key) => !["root", "structure", "redirects"].includes(key)),
        ...Object.keys(structure).filter((key) => !["readme", "summary"].includes(key)),
    ];
    unknown.forEach((key) =>
        report(key, `the setting ${JSON.stringify(key)} is not known: exports read ${gitBookSettings.join(", ")}`),
    );
    const redirects = Object.entries(recordOf(settings["redirects"])).flatMap(([from, to]): GitBookRedirect[] => {
        if (typeof to !== "string" || to === "") {
            report(from, `the redirect from ${from} is left out: its target must be a page`);
            return [];
        }
        return [{ from, to, line: lineOfText(text, `${from}:`) }];
    });
    return { root: root ?? "", readme, summary, redirects, problems };
}

type Report = (key: string, reason: string) => undefined;

function parse(text: string, report: Report): unknown {
    try {
        return parseYaml(text);
    } catch (error) {
        const [reason = ""] = (error as Error).message.split("\n", 1);
        return report("", `not valid YAML, so no setting of this file has an effect: ${reason}`);
    }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
    return isRecord(value) ? value : {};
}

/** A path within the site, without `./` and slashes at its ends. */
function pathOf(key: string, value: unknown, report: Report): string | undefined {
    if (value === undefined || value === null) {
        return undefined;
    }
    const path = typeof value === "string" ? posix.normalize(value.normalize("NFC").trim()) : "..";
    if (path === ".." || path.startsWith("../") || path.startsWith("/")) {
        return report(key, `${key} has no effect: it must be a path within the site's folder`);
    }
    const within = path.replace(/\/$/, "");
    return within === "." || within === "" ? undefined : within;
}
