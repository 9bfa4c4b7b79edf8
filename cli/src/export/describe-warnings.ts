import { type ExportWarnings } from "@pulumi-static-export/contract";
import { countPlaces, describeExportWarning } from "@pulumi-static-export/sdk/internal";

/** The warnings of an export, and the number of places for each kind, if it is known. */
type WarningSummary = ExportWarnings & { countByKind?: Readonly<Record<string, number>> };

/** How many warnings of each kind are listed if there are many: enough to recognise the problem. */
const maxListed = 5;

/** Up to this many warnings are listed, because a summary would not be shorter. */
const few = 10;

/** The author's next step for each kind of warning. */
const whatToDo: Readonly<Record<string, string>> = {
    syntax: "correct the Markdown at these places. Until then, it is shown as written or left out",
    component:
        "use a component of the guide “Writing pages”, or plain Markdown. Until then, the content is shown without " +
        "the component, or left out if the warning says so",
    expression: "write the value into the page, or compute it from what the page contains",
    import: "put the file into the site's folder and correct the path, or leave the import out",
    attribute: "leave out or correct the attribute, which has no effect",
    icon: "use the name of an icon in the site's set, or a picture",
    link: "correct the addresses, add the missing pages, or add redirects to docs.json",
    navigation: "correct the entries in the file that contains the navigation",
    settings: "correct or remove the settings, which have no effect",
    access: "decide who may read these pages and files",
    openapi: "correct the document of the API, or what refers to it",
    formula: "correct the formula. Until then, pages show its source",
    diagram: "correct the diagram. Until then, pages show its source",
    file: "rename, split or remove these files",
};

const howToSeeAll = "static-export build FOLDER --warnings FILE writes all warnings to a file, one a line.";

/**
 * Lists each kind with its number, advice and first warnings, beginning with the kind that has the most places. Lists
 * all warnings if there are few.
 */
export function describeWarnings({ count, countByKind, first }: WarningSummary): string[] {
    const kinds = new Map<string, { count: number; listed: string[] }>(
        Object.entries(countByKind ?? {}).map(([kind, places]) => [kind, { count: places, listed: [] }]),
    );
    for (const warning of first) {
        const group = kinds.get(warning.kind) ?? { count: 0, listed: [] };
        kinds.set(warning.kind, group);
        group.count += countByKind === undefined ? countPlaces([warning]) : 0;
        group.listed.push(`warning: ${describeExportWarning(warning)}`);
    }
    const most = first.length <= few ? few : maxListed;
    const isWhole = first.length <= few && count === countPlaces(first);
    const lines = [...kinds]
        .sort(([, one], [, other]) => other.count - one.count)
        .flatMap(([kind, { count: places, listed }]) => [
            `${kind}: ${places} ${places === 1 ? "warning" : "warnings"}${Object.hasOwn(whatToDo, kind) ? `: ${whatToDo[kind]}` : ""}`,
            ...listed.slice(0, most),
        ]);
    return isWhole ? lines : [...lines, howToSeeAll];
}
