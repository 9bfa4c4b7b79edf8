import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import image from "../../image/image.json" with { type: "json" };
import type { Release } from "../artifacts/build-release.js";
import { imageName } from "../artifacts/image.js";
import { publishChartOwner, publishCharts, publishImage } from "../publish/publish.js";
import { brokenLinks } from "./chart-links.js";
import { type RehearsalProject, titledBlocks } from "./rehearsal-project.js";
import { createCosignKey, type Signing } from "../publish/sign.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Returns the rehearsal's steps for the charts and the image. The steps publish both to a registry on this machine,
 * sign them with a new key, and run the guide's commands.
 *
 * @param registry - the owner's part of the registry, in place of `ghcr.io/OWNER`
 */
export function containerSteps(
    { folder, owner, version }: Release,
    registry: string,
    project: RehearsalProject,
): Record<string, () => Promise<void>> {
    const commands = titledBlocks("docs/installation-configuration.md", owner);
    const chartFile = (name: string) => readdirSync(join(folder, "charts")).find((each) => each.startsWith(name)) ?? "";
    let signing: Signing;
    const type = (text: string) => project.type(text.replaceAll(`ghcr.io/${owner}`, registry));
    return {
        "push the charts, pull and render them": async () => {
            signing = await createCosignKey(project.folder);
            await publishCharts(folder, `${registry}/charts`, signing, { isPlainHttp: true });
            await publishChartOwner(folder, `${registry}/charts`, owner, { isPlainHttp: true });
            await type(commands("charts").replace(/$/gm, " --plain-http"));
            const values = "staticExport.enabled=true,staticExport.bundleUrl=https://bundles.example.com/docs.tar.gz";
            const rendered = await type(`helm template docs ${chartFile("documentation-site-")} --set ${values}`);
            if (!rendered.includes("kind: Deployment")) {
                throw new Error(`The chart has no deployment:\n${rendered}`);
            }
            const metadata = `docker://${registry}/charts/documentation-site:artifacthub.io`;
            const owned = await type(`skopeo inspect --raw --tls-verify=false ${metadata}`);
            if (!owned.includes("repository-metadata.layer")) {
                throw new Error(`The chart's owner is not published:\n${owned}`);
            }
        },
        "follow the links and runbooks of the pulled charts": async () => {
            const repository = { root, owner, version };
            for (const chart of ["documentation-site", "documentation-sites", "static-export-service"]) {
                const file = chartFile(`${chart}-`);
                await type(`tar -xzf ${file}`);
                const rendered = await type(`helm template docs ${file} --values ${chart}/ci/everything-values.yaml`);
                const pulled = join(project.folder, chart);
                const files = readdirSync(pulled, { recursive: true, withFileTypes: true })
                    .filter((entry) => entry.isFile())
                    .map((entry) => join(entry.parentPath, entry.name));
                const broken = [
                    ...brokenLinks(rendered, repository),
                    ...files.flatMap((each) => brokenLinks(readFileSync(each, "utf8"), repository, each)),
                ];
                if (broken.length > 0 || !rendered.includes("runbook_url: ")) {
                    throw new Error(`The chart ${chart} has broken links, or no runbooks:\n${broken.join("\n")}`);
                }
            }
        },
        "push the image, pull and start it": async () => {
            await publishImage(folder, version, `${registry}/${imageName}`, signing, { isPlainHttp: true });
            const source = `docker://${registry}/${imageName}:${version}`;
            await type(`skopeo copy --quiet --src-tls-verify=false ${source} oci:pulled:1
umoci unpack --rootless --image pulled:1 unpacked`);
            const printed = await type(startInImage("unpacked/rootfs"));
            if (printed !== version) {
                throw new Error(`The image of ${version} has the command ${printed}.`);
            }
        },
        "verify the signatures of charts and image, and their SBOMs": async () => {
            const [, chartVersion = ""] = /-(\d.*)\.tgz$/.exec(chartFile("static-export-service-")) ?? [];
            const verify = commands("verify")
                .replaceAll("CHART_VERSION", chartVersion)
                .replaceAll("VERSION", version)
                // The rehearsal signs with a key instead of the workflow's identity.
                .replaceAll(
                    /--certificate-identity-regexp \S+ --certificate-oidc-issuer \S+/g,
                    signing.verify.join(" "),
                );
            const printed = await type(verify);
            const [statement = "{}"] = /^\{"payload".*$/m.exec(printed) ?? [];
            const { payload = "" } = JSON.parse(statement) as { payload?: string };
            const sbom = Buffer.from(payload, "base64").toString();
            // cosign prints an artifact's digest for its signature and for its attestation.
            const signed = new Set(printed.match(/"docker-manifest-digest":"sha256:\w+"/g));
            if (signed.size !== 2 || !sbom.includes('"pkg:deb/debian/git@')) {
                throw new Error(`The guide's commands verified less than the guide says:\n${printed}`);
            }
            const otherKey = await createCosignKey(join(project.folder, ".state"));
            const withOther = verify.replaceAll(signing.verify.join(" "), otherKey.verify.join(" "));
            await type(withOther).then(
                () => Promise.reject(new Error("The guide's commands accept any key.")),
                () => undefined,
            );
        },
    };
}

/** Starts the image's command with the image's own libraries, which needs no privileges. */
function startInImage(root: string): string {
    const libraries = `${root}/usr/lib/x86_64-linux-gnu:${root}/usr/lib64`;
    const [command] = Object.values(image.links);
    const node = `${root}/lib64/ld-linux-x86-64.so.2 --library-path ${libraries} ${root}/usr/bin/node`;
    return `${node} ${root}${command} --version`;
}
