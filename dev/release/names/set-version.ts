/**
 * npm run release:version -- VERSION: writes the version of the next release to package.json, and to the files with a
 * copy of it. The charts' own versions are changed by hand, because each version changes only with its chart.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

/** The files with a copy of the version, and the place of the copy in each file. */
export const copies = [
    ...[".", "sdk", "provider", "policy", "cli"].map((folder) => ({
        file: `${folder}/package.json`.replace(/^\.\//, ""),
        place: /(?<="version": ")[^"]+/,
    })),
    ...readdirSync("examples")
        .map((name) => `examples/${name}/package.json`)
        .filter((file) => existsSync(file))
        .map((file) => ({ file, place: /(?<=@example--owner\/pulumi-static-export@\^)[^"]+/ })),
    { file: "templates/preview.yml", place: /(?<=static-export-cli@)[^"]+/ },
    { file: "charts/static-export-service/Chart.yaml", place: /(?<=^appVersion: ")[^"]+/m },
    { file: "charts/static-export-service/Chart.yaml", place: /(?<=\/static-export:)\S+/ },
];

const [version] = process.argv.slice(2);
if (process.argv[1]?.endsWith("set-version.ts")) {
    if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
        console.error("Usage: npm run release:version -- VERSION, such as 0.3.0");
        process.exit(2);
    }
    for (const { file, place } of copies) {
        writeFileSync(file, readFileSync(file, "utf8").replace(place, version));
    }
    execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"]);
    console.log(`The next release is ${version}. Write it to CHANGELOG.md when it is released.`);
}
