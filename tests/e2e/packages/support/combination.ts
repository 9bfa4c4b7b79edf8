import { type PackageManager } from "./package-managers.js";

/** The language of a program, and how Pulumi runs it. */
export type ProgramStyle =
    | "TypeScript, nodenext"
    | "TypeScript, node10"
    | "TypeScript, no tsconfig"
    | "TypeScript, bundler, compiled"
    | "TypeScript, ES modules"
    | "JavaScript, CommonJS"
    | "JavaScript, .mjs"
    | "JavaScript, ES modules"
    | "Pulumi's template typescript"
    | "Pulumi's template javascript";

/** One way to use the package in a project. */
export interface Combination {
    manager: PackageManager;
    style: ProgramStyle;
    /** The compiler's version; undefined if no compiler is installed, so that Pulumi's SDK uses its own compiler. */
    typescript?: string;
    node: string;
    sdk: string;
}

export const newest = { node: "24.21.0", sdk: "3.270.0", typescript: "6.0.3" } as const;
const node = { 22: "22.23.3", 24: newest.node } as const;
const oldestSdk = "3.216.0";

const base = { ...newest, manager: "npm", style: "TypeScript, nodenext" } as const satisfies Combination;
const withoutTypeScript = { node: newest.node, sdk: newest.sdk } as const;

/** Combinations of all managers with different styles, compilers, Node.js versions and SDKs. */
export const short: readonly Combination[] = [
    { ...base, node: node[22] },
    { ...base, style: "TypeScript, node10", typescript: "5.9.3" },
    { ...withoutTypeScript, manager: "pnpm", style: "JavaScript, CommonJS" },
    { ...withoutTypeScript, manager: "yarn 1", style: "TypeScript, no tsconfig", node: node[22], sdk: oldestSdk },
    { ...withoutTypeScript, manager: "yarn 4", style: "JavaScript, .mjs", node: node[22] },
];

const managers = ["npm", "pnpm", "yarn 1", "yarn 4"] as const;
const styles: readonly ProgramStyle[] = [
    "TypeScript, nodenext",
    "TypeScript, node10",
    "TypeScript, no tsconfig",
    "TypeScript, bundler, compiled",
    "TypeScript, ES modules",
    "JavaScript, CommonJS",
    "JavaScript, .mjs",
    "JavaScript, ES modules",
];

/**
 * Includes every manager with every style, every compiler, and every Node.js version with each SDK that supports it.
 */
export const whole: readonly Combination[] = unique([
    ...short,
    ...managers.flatMap((manager) =>
        styles.filter((style) => !isWithoutNodeTypes(manager, style)).map((style) => ({ ...base, manager, style })),
    ),
    // The templates' version ranges select the newest versions.
    { ...withoutTypeScript, manager: "npm", style: "Pulumi's template typescript" },
    { ...withoutTypeScript, manager: "npm", style: "Pulumi's template javascript" },
    ...["4.9.5", "5.9.3", "6.0.3"].flatMap((typescript) =>
        (["TypeScript, nodenext", "TypeScript, node10", "TypeScript, no tsconfig"] as const).map((style) => ({
            ...base,
            style,
            typescript,
        })),
    ),
    { ...withoutTypeScript, manager: "npm", style: "TypeScript, no tsconfig" },
    { ...withoutTypeScript, manager: "npm", style: "TypeScript, node10" },
    ...[oldestSdk, newest.sdk].flatMap((sdk) =>
        Object.values(node).flatMap((version) => [
            // The oldest SDK's peer dependency range excludes TypeScript 6.
            { ...base, sdk, node: version, typescript: sdk === oldestSdk ? "5.9.3" : base.typescript },
            {
                ...withoutTypeScript,
                manager: "npm" as const,
                style: "JavaScript, .mjs" as const,
                sdk,
                node: version,
            },
        ]),
    ),
]);

/**
 * From TypeScript 6 on, a compiler without a tsconfig.json includes no types automatically, and pnpm hides the types of
 * Pulumi's SDK from the program, so that `process` is unknown, as the guide says.
 */
function isWithoutNodeTypes(manager: PackageManager, style: ProgramStyle): boolean {
    return manager === "pnpm" && style === "TypeScript, no tsconfig";
}

function unique(combinations: readonly Combination[]): Combination[] {
    return [...new Map(combinations.map((each) => [titleOf(each), each])).values()];
}

export function titleOf({ manager, style, typescript = "none", node: version, sdk }: Combination): string {
    return `${manager}; ${style}; TypeScript ${typescript}; Node.js ${version}; SDK ${sdk}`;
}
