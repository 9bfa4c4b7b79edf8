/**
 * Writes the files that an artifact with third-party code must contain: copyright notices and licences as text, and a
 * CycloneDX SBOM, both from the packages that esbuild put into a bundle. Runs right after the compilation, so it is
 * plain JavaScript.
 */
import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import satisfies from "spdx-satisfies";

/**
 * Licences that allow a company to redistribute the artifact together with their notice. The Creative Commons licence
 * covers drawings.
 */
export const allowedLicences = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BlueOak-1.0.0",
    "CC-BY-4.0",
    "ISC",
    "MIT",
];

// The package exports only its plugin, `dist/plugin.js`.
const sbomPlugin = createRequire(import.meta.url).resolve("@cyclonedx/cyclonedx-esbuild");
const command = join(dirname(sbomPlugin), "..", "bin", "cyclonedx-esbuild-cli.js");

/**
 * Licence texts for packages that name their licence but contain no licence file. For CC BY 4.0, a link is sufficient
 * (section 3(a)).
 */
export const standardTexts = {
    "CC-BY-4.0":
        "Creative Commons Attribution 4.0 International: https://creativecommons.org/licenses/by/4.0/legalcode",
    "Apache-2.0": readFileSync(new URL("../../LICENSE", import.meta.url), "utf8"),
    ISC: `ISC License

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that \
the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES \
OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR \
ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS \
ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`,
    MIT: `MIT License

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files \
(the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, \
merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is \
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF \
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE \
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN \
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
};

/** Packages whose manifest does not name the licence that is in their licence file. */
const licencesInFiles = { khroma: "MIT" };

const isOurs = ({ group, name }) =>
    group === "@pulumi-static-export" ||
    ["pulumi-static-export", "static-export-cli"].includes(name) ||
    name.startsWith("DummyComponent");

/**
 * Writes `THIRD-PARTY-NOTICES.txt` and `sbom.cdx.json`. The same bundle always gives the same bytes.
 *
 * @param {{ metafile: import("esbuild").Metafile, workingFolder: string, artifact: string, folder: string }} options -
 * `workingFolder` is the folder where esbuild ran; `artifact` is the bundle's name in the notices
 * @throws Error when a licence is missing or not allowed
 */
export function writeNotices({ metafile, workingFolder, artifact, folder }) {
    const bom = describeBundle(metafile, workingFolder);
    writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), noticesOf(artifact, bom.components));
    // Omits the licence texts, which are already in the notices and ten times longer than the rest.
    const withoutTexts = (key, value) => (key === "evidence" ? undefined : value);
    writeFileSync(join(folder, "sbom.cdx.json"), `${JSON.stringify(bom, withoutTexts, 2)}\n`);
}

/**
 * Writes `THIRD-PARTY-NOTICES.txt` next to the folder `node_modules` of an artifact that contains unbundled packages.
 *
 * @throws Error when a licence is missing or not allowed
 */
export function writeNoticesOfPackages({ folder, artifact }) {
    writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), noticesOf(artifact, describePackages(folder)));
}

/** Returns the packages in a folder's `node_modules`, as CycloneDX describes them. */
export function describePackages(folder) {
    return readdirSync(join(folder, "node_modules"), { recursive: true })
        .filter((path) => /(?:^|[\\/]node_modules[\\/])(?:@[^\\/]+[\\/])?[^@\\/][^\\/]*[\\/]package\.json$/.test(path))
        .map((path) => describePackage(dirname(join(folder, "node_modules", path))));
}

/** Returns the package in a folder, as a component in CycloneDX's format. */
function describePackage(folder) {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const { name, version, license, author } = manifest;
    const [, group, ownName] = /^(?:(@[^/]+)\/)?(.*)$/.exec(name);
    const texts = readdirSync(folder)
        .filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(file))
        .map((file) => ({ license: { text: { content: readFileSync(join(folder, file), "utf8") } } }));
    return {
        group,
        name: ownName,
        version,
        author: author?.name ?? author,
        licenses: [{ expression: license ?? licencesInFiles[name] }],
        evidence: { licenses: texts },
    };
}

function describeBundle(metafile, workingFolder) {
    const work = mkdtempSync(join(tmpdir(), "static-export-sbom-"));
    try {
        const input = join(work, "metafile.json");
        writeFileSync(input, JSON.stringify(metafile));
        const options = [
            "--gather-license-texts",
            "--output-reproducible",
            "--bwd",
            workingFolder,
            "--output-file",
            "-",
        ];
        const output = execFileSync(process.execPath, [command, ...options, input], {
            encoding: "utf8",
            maxBuffer: 2 ** 28,
            stdio: ["ignore", "pipe", "ignore"],
        });
        const bom = JSON.parse(output);
        const components = bom.components.filter(({ name }) => !name.startsWith("DummyComponent"));
        return { ...bom, components: components.map((each) => withLicence(each, metafile, workingFolder)) };
    } finally {
        rmSync(work, { recursive: true });
    }
}

/**
 * Takes the licence from the package's main package.json if the component comes from a nested package.json that names
 * no licence.
 */
function withLicence(component, metafile, workingFolder) {
    if (isOurs(component) || component.licenses !== undefined) {
        return component;
    }
    const { group, name } = component;
    const folder = `node_modules/${group === undefined ? "" : `${group}/`}${name}/`;
    const input = Object.keys(metafile.inputs).find((path) => path.includes(folder));
    if (input === undefined) {
        return component;
    }
    const { licenses, author, evidence } = describePackage(
        join(workingFolder, input.slice(0, input.indexOf(folder) + folder.length)),
    );
    const isNamed = licenses.every(({ expression }) => expression !== undefined);
    return isNamed ? { ...component, licenses, evidence, ...(author === undefined ? {} : { author }) } : component;
}

/**
 * Writes each licence text once for all packages that have it, because most packages of a bundle have the Apache
 * licence or the same author.
 */
function noticesOf(artifact, components) {
    const packagesByText = new Map();
    for (const component of components.filter((each) => !isOurs(each))) {
        const text = licenceTextOf(component);
        const packages = packagesByText.get(text) ?? new Set();
        packagesByText.set(text, packages.add(`${nameOf(component)} (${licenceOf(component)})`));
    }
    const parts = [...packagesByText].map(([text, packages]) => `${[...packages].sort().join("\n")}\n\n${text}\n`);
    const head = `${artifact} contains the following third-party software, under the licences printed below it.\n`;
    return [head, ...parts.sort()].join(`\n${"-".repeat(80)}\n\n`);
}

/**
 * Returns the package's own licence files, or the standard text with the author's name if the package has no licence
 * file.
 */
function licenceTextOf(component) {
    const licence = licenceOf(component);
    const own = (component.evidence?.licenses ?? []).map(({ license: { text } }) =>
        text.encoding === "base64" ? Buffer.from(text.content, "base64").toString() : text.content,
    );
    if (own.length > 0) {
        return own.map((text) => text.replaceAll("\r\n", "\n").trim()).join("\n\n");
    }
    const standard = standardTexts[licence];
    if (standard === undefined) {
        throw new Error(`${nameOf(component)} has no file with its licence (${licence}).`);
    }
    const copyright = component.author === undefined ? "" : `Copyright (c) ${component.author}\n\n`;
    return `${copyright}${standard.trim()}`;
}

function licenceOf(component) {
    const [licence = ""] = (component.licenses ?? []).map(
        (each) => each.expression ?? each.license.id ?? each.license.name,
    );
    assertAllowed(nameOf(component), licence);
    return licence;
}

/**
 * @param {string} name - the package's name
 * @param {string} licence - an SPDX expression
 * @throws Error if it is not allowed
 */
export function assertAllowed(name, licence) {
    if (!isAllowed(licence)) {
        throw new Error(
            `${name} has the licence "${licence}", which is not allowed in an artifact: ` +
                "replace the package, or add the licence to dev/toolchain/third-party-notices.mjs.",
        );
    }
}

function isAllowed(licence) {
    try {
        return satisfies(licence, allowedLicences);
    } catch {
        return false;
    }
}

function nameOf({ group, name, version }) {
    return `${group === undefined ? "" : `${group}/`}${name} ${version}`;
}
