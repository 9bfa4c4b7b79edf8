import js from "@eslint/js";
import tseslint from "typescript-eslint";

/**
 * Who may import whom: imports point one way (../shared/design.md, "Rooms"). Only tests and bench know all.
 * A room that is not in another's list is refused there, by package name and by relative path.
 */
const rooms = {
    sdk: [],
    provider: ["sdk"],
    service: [],
    cli: ["sdk", "service"],
    toolchain: [],
    quickstart: ["sdk", "service", "toolchain"],
};

const packageOf = (room) => (room === "provider" ? "pulumi-static-export" : `@pulumi-static-export/${room}`);

const roomBoundaries = Object.entries(rooms).map(([room, allowed]) => ({
    files: [`${room}/**/*.{ts,js,mjs}`],
    rules: {
        "no-restricted-imports": [
            "error",
            {
                patterns: Object.keys(rooms)
                    .filter((other) => other !== room && !allowed.includes(other))
                    .map((other) => ({
                        group: [packageOf(other), `${packageOf(other)}/*`, `**/../${other}/**`],
                        message: `${room}/ must not import ${other}/: see the rooms in eslint.config.js.`,
                    })),
            },
        ],
    },
}));

export default tseslint.config(
    { ignores: ["**/dist/", ".e2e/", ".quickstart/", "**/node_modules/", "**/fixtures/**"] },
    js.configs.recommended,
    {
        files: ["**/*.ts"],
        extends: [tseslint.configs.recommendedTypeChecked],
        languageOptions: {
            parserOptions: {
                project: ["./*/tsconfig.json"],
                tsconfigRootDir: import.meta.dirname,
            },
        },
        rules: {
            "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
            "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: ["describe", "it"] }],
            "@typescript-eslint/switch-exhaustiveness-check": "error",
            "@typescript-eslint/only-throw-error": "error",
            "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
            "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
        },
    },
    {
        files: ["**/*.{js,mjs,cjs}"],
        languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly", setTimeout: "readonly" } },
    },
    {
        rules: {
            eqeqeq: "error",
            "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
            "no-console": "off",
            "prefer-const": "error",
            "no-var": "error",
        },
    },
    ...roomBoundaries,
);
