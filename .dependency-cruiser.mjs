/**
 * Lists the rooms that each room may import: imports point one way, without cycles (shown in dev/architecture).
 * All other imports are refused, whether by package name or by relative path. Only tests and dev/bench may import all
 * rooms.
 */
const rooms = {
    contract: [],
    sdk: ["contract"],
    provider: ["contract", "sdk"],
    plugin: ["contract", "sdk", "provider"],
    policy: ["contract"],
    exporter: ["contract"],
    answer: ["contract"],
    service: ["contract", "exporter"],
    cli: ["contract", "sdk", "exporter", "answer", "service"],
    "dev/toolchain": [],
    "dev/cluster": ["dev/toolchain"],
    "dev/quickstart": ["sdk", "service", "dev/toolchain", "dev/cluster"],
};

const folders = (names) => `^(${names.join("|")})/`;

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
    forbidden: [
        {
            name: "no-circle",
            comment: "These files import each other, also indirectly: merge them, or move shared code into a new file.",
            severity: "error",
            from: {},
            to: { circular: true },
        },
        {
            name: "no-circle-of-folders",
            comment: "Two folders import each other: move code until only one of them imports the other.",
            severity: "error",
            scope: "folder",
            from: {},
            to: { circular: true },
        },
        ...[1, 2, 3].map((depth) => ({
            name: `files-above-are-the-roof-${depth}`,
            comment:
                "A sub-folder imports a file of a folder above: move the imported code into a folder next to the " +
                "sub-folder.",
            severity: "error",
            from: { path: `^(.+)${"/[^/]+".repeat(depth)}/[^/]+$`, pathNot: "^dev/bench/" },
            to: { path: "^$1/[^/]+$" },
        })),
        ...Object.entries(rooms).map(([room, allowed]) => ({
            name: `rooms-of-${room.replace("/", "-")}`,
            comment: `${room}/ may import ${allowed.length === 0 ? "no other room" : allowed.join(", ")}.`,
            severity: "error",
            from: { path: folders([room]) },
            to: {
                path: "^(contract|sdk|provider|plugin|policy|exporter|answer|service|cli|dev/[a-z]+|tests|examples)/",
                pathNot: folders([room, ...allowed]),
            },
        })),
        {
            name: "public-entry-points",
            comment: "The import names an inner file of another package: import a file that it exports.",
            severity: "error",
            from: { path: "^([a-z]+|dev/[a-z]+)/src/" },
            to: { path: "^([a-z]+|dev/[a-z]+)/src/", pathNot: "^$1/src/" },
        },
        {
            name: "no-unresolved",
            comment: "The import cannot be resolved, so the other rules cannot check it.",
            severity: "error",
            from: { path: "/src/" },
            to: { couldNotResolve: true },
        },
    ],
    options: {
        tsPreCompilationDeps: true,
        tsConfig: { fileName: "tsconfig.base.json" },
        doNotFollow: { path: ["node_modules", "/dist/"] },
        exclude: { path: ["/fixtures/"] },
        enhancedResolveOptions: {
            exportsFields: ["exports"],
            conditionNames: ["import", "require", "node", "default", "types"],
        },
    },
};
