import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
    { ignores: ["**/dist/", ".e2e/", ".quickstart/", "**/node_modules/", "**/fixtures/**"] },
    js.configs.recommended,
    {
        files: ["**/*.ts"],
        extends: [tseslint.configs.recommendedTypeChecked],
        languageOptions: {
            parserOptions: {
                project: ["./*/tsconfig.json", "./dev/*/tsconfig.json"],
                tsconfigRootDir: import.meta.dirname,
            },
        },
        rules: {
            "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
            "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: ["describe", "it"] }],
            "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
            "@typescript-eslint/only-throw-error": "error",
            "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
            "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
        },
    },
    {
        files: ["**/*.{js,mjs,cjs}"],
        languageOptions: {
            globals: {
                process: "readonly",
                console: "readonly",
                URL: "readonly",
                setTimeout: "readonly",
                fetch: "readonly",
            },
        },
    },
    {
        rules: {
            curly: "error",
            eqeqeq: "error",
            "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
            "no-console": "off",
            "prefer-const": "error",
            "no-var": "error",
        },
    },
);
