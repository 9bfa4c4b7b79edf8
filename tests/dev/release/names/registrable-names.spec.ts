import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Our package names without a scope. Anyone could publish a package under a name that we have not registered. */
const names = ["static-export", "pulumi-static-export", "pulumi-static-export-policy", "static-export-policy-pack"];
const name = `(?:${names.join("|")})(?![\\w/.-])`;
const options = "(?:\\s+-{1,2}[\\w=-]*)*";

/** Matches commands that download a package to run it; `--no` forbids the download. */
const runs = new RegExp(`\\b(?:npx|bunx|npm exec|(?:pnpm|yarn) dlx)(?!.* --no )${options}\\s+${name}`);
const installs = new RegExp(
    `\\b(?:npm (?:install|i|add)|(?:pnpm|yarn|bun) add)${options}\\s+${name}(?!@(?:npm|file):)`,
);

const fetches = (line: string) => runs.test(line) || installs.test(line);

describe("A package name that anyone could register", () => {
    for (const command of [
        "npx static-export doctor",
        "npx --yes static-export@0.2.0",
        "pnpm dlx static-export build",
        "npm install pulumi-static-export",
        "yarn add --dev pulumi-static-export-policy",
    ]) {
        it(`is detected: ${command}`, () => assert.ok(fetches(command)));
    }

    for (const command of [
        "npx --no -- static-export doctor",
        "npm install ./pulumi-static-export-0.1.0.tgz",
        "npm install pulumi-static-export@npm:@example--owner/pulumi-static-export",
        "npx mocha tests/static-export",
    ]) {
        it(`is not detected in ${command}`, () => assert.equal(fetches(command), false));
    }

    it("is not installed by any guide, example, script or message", () => {
        const found = textFiles().flatMap((file) =>
            readFileSync(file, "utf8")
                .split("\n")
                .flatMap((line, index) => (fetches(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
        );
        assert.deepEqual(found, []);
    });

    it("is a dependency of an example only as an alias of the owner's package", () => {
        const manifests = textFiles().filter((file) => /^examples\/.*package\.json$/.test(file));
        assert.ok(manifests.length >= 6);
        for (const file of manifests) {
            const { dependencies } = JSON.parse(readFileSync(file, "utf8")) as { dependencies: Record<string, string> };
            for (const range of names.map((each) => dependencies[each]).filter((each) => each !== undefined)) {
                assert.match(range, /^npm:@example--owner\//, file);
            }
        }
    });
});

/**
 * Lists the files that users read or run. Excludes specs and the changelog, which contain forbidden commands as
 * examples.
 */
function textFiles(): string[] {
    return execFileSync("git", ["ls-files"], { encoding: "utf8" })
        .split("\n")
        .filter((file) => /\.(?:mdx?|json|ya?ml|sh|m?[jt]s|toml)$/.test(file))
        .filter((file) => !/^(?:tests\/|CHANGELOG\.md|package-lock\.json)/.test(file));
}
