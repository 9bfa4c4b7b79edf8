import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import reasons from "./reasons.json" with { type: "json" };

interface LockedPackage {
    readonly version?: string;
    readonly dev?: boolean;
    readonly deprecated?: string;
}

export interface Pin {
    /** The name and the version, such as `actions/cache v5.0.5`. */
    readonly name: string;
    readonly file: string;
}

/** The files with versions that package.json and go.mod do not pin. */
const filesWithPins = [
    ...["action.yml", "Dockerfile", "dev/image/image.json", "dev/toolchain/src/cache/tools.ts", "docs/guides/*.md"],
    ...[".github/workflows/*.yml", "charts/*/values.yaml", "examples/*.yml", "templates/*.yml"],
];

/** Each format of a pin, with the groups `name` and `version`. */
const formats: readonly RegExp[] = [
    /uses: (?<name>[\w.-]+\/[\w.-]+)(?:\/[\w/-]+)?@[0-9a-f]{40} # (?<version>v\S+)/g,
    /^ *repository: (?<name>\S+\/\S+|node)\n *tag: (?<version>\S+)$/gm,
    /^ {4}"?(?<name>[\w-]+)"?: \{\s(?:\s*\/\/.*\n)*\s*version: "(?<version>[\d.]+)"/gm,
    /^ARG BASE=(?<name>[\w/.-]+):(?<version>[\w.-]+)$/gm,
    /"(?<name>node)": "(?<version>[\d.]+)"/g,
    /^ *(?:image|default): (?<name>(?:[\w.-]+\/)*[\w.-]+):(?<version>[\w.-]*\d[\w.-]*)$/gm,
];

/** Returns the pins in a file, without the distributions in tags of images. A tag such as `22` is not a pin. */
export function findPins(file: string, text: string): Pin[] {
    return formats.flatMap((format) =>
        [...text.matchAll(format)].flatMap(({ groups }) => {
            const { name = "", version = "" } = groups ?? {};
            return version.includes(".") ? [{ name: `${name} ${version.replace(/-[a-z].*/, "")}`, file }] : [];
        }),
    );
}

/** Lists pins that were released more than six months ago, or that have no date in reasons.json. */
export function oldPins(pins: readonly Pin[], now: Date, released: Readonly<Record<string, string>>): string[] {
    const halfAYearAgo = new Date(now);
    halfAYearAgo.setUTCMonth(halfAYearAgo.getUTCMonth() - 6);
    const files = Map.groupBy(pins, ({ name }) => name);
    return [...files]
        .sort(([a], [b]) => a.localeCompare(b))
        .flatMap(([name, places]) => {
            const date = released[name];
            if (date !== undefined && new Date(date) > halfAYearAgo) {
                return [];
            }
            const when =
                date === undefined ? "has no date in dev/supply-chain/reasons.json" : `was released on ${date}`;
            const [first = "", ...more] = new Set(places.map(({ file }) => file));
            return [`${name} ${when} (${first}${more.length > 0 ? ` and ${more.length} more` : ""})`];
        });
}

/** Lists the deprecated packages that users install, except those with a reason. */
export function deprecatedPackages(
    packages: Readonly<Record<string, LockedPackage>>,
    accepted: Readonly<Record<string, string>>,
): string[] {
    return Object.entries(packages).flatMap(([path, { version, dev, deprecated }]) => {
        const name = path.replace(/^.*node_modules\//, "");
        return deprecated === undefined || dev || Object.hasOwn(accepted, name)
            ? []
            : [`${name} ${version} is deprecated: ${deprecated}`];
    });
}

/** Lists the dependencies whose last release is older than two years, with the reason why they stay. */
export function oldDependencies(
    recorded: Readonly<Record<string, { released: string; reason: string }>>,
    now: Date,
): string[] {
    const twoYearsAgo = new Date(now);
    twoYearsAgo.setUTCFullYear(twoYearsAgo.getUTCFullYear() - 2);
    return Object.entries(recorded).flatMap(([name, { released, reason }]) =>
        new Date(released) < twoYearsAgo ? [`${name} was released on ${released}. ${reason}`] : [],
    );
}

/** Checks what the repository takes from others, and prints what is old. @returns whether nothing is deprecated */
export function checkSupplyChain(root: string, now: Date): boolean {
    const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
        packages: Record<string, LockedPackage>;
    };
    const deprecated = deprecatedPackages(packages, reasons.deprecated);
    if (deprecated.length > 0) {
        console.error(
            `${deprecated.join("\n")}\nReplace these packages, or add a reason to dev/supply-chain/reasons.json.`,
        );
    }
    const old = [...oldDependencies(reasons.oldDependencies, now), ...oldPins(pinsOf(root), now, reasons.pins)];
    if (old.length > 0) {
        console.log(`Old dependencies and pins:\n${old.map((line) => `  ${line}`).join("\n")}`);
    }
    return deprecated.length === 0;
}

/** Returns all pins of a checkout. */
export function pinsOf(root: string): Pin[] {
    const files = execFileSync("git", ["ls-files", "--", ...filesWithPins], { cwd: root, encoding: "utf8" });
    return files
        .split("\n")
        .filter((file) => file !== "")
        .flatMap((file) => findPins(file, readFileSync(join(root, file), "utf8")));
}
