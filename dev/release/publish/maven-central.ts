import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { run, withTemporaryFolder } from "@pulumi-static-export/toolchain";
import { javaArtifact, groupFolder } from "../artifacts/java-package.js";
import { publishOnce } from "./publish-once.js";

/** @throws Error without the portal's user token */
export function mavenCentral(): MavenCentral {
    const token = process.env["MAVEN_CENTRAL_TOKEN"];
    if (token === undefined || token === "") {
        throw new Error("Maven Central needs a user token: set MAVEN_CENTRAL_TOKEN to its NAME:PASSWORD.");
    }
    return { portal: "https://central.sonatype.com", repository: "https://repo1.maven.org/maven2", token };
}

interface MavenCentral {
    /** The address to which bundles are uploaded. */
    readonly portal: string;
    /** The address from which Maven reads packages. */
    readonly repository: string;
    /** Name and password of the portal's user token, separated by a colon. */
    readonly token: string;
    /** The folder of gpg's keys; by default gpg's own. */
    readonly gnupgHome?: string;
    /** Milliseconds between two requests for the state of an upload. */
    readonly pollMs?: number;
}

/** An upload takes minutes; publishing it may take half an hour. */
const maxPolls = 360;

/**
 * Signs the files of the Java package with gpg's default key, uploads them, and waits until the portal accepts them.
 * https://central.sonatype.org/publish/publish-portal-api/
 */
export async function publishMaven(
    folder: string,
    owner: string,
    version: string,
    central: MavenCentral,
): Promise<void> {
    const place = join(groupFolder(owner), javaArtifact, version);
    const released = join(folder, "maven", place);
    const name = `${javaArtifact}-${version}`;
    const keys = central.gnupgHome === undefined ? [] : ["--homedir", central.gnupgHome];
    await publishOnce({
        name: `${name} for Java`,
        digest: readFileSync(join(released, `${name}.jar.sha1`), "utf8").trim(),
        find: async () => {
            const response = await fetch(`${central.repository}/${place}/${name}.jar.sha1`);
            if (response.status === 404) {
                return undefined;
            }
            return (await requireOk(response)).trim();
        },
        publish: async () => {
            await withTemporaryFolder("static-export-maven-", async (work) => {
                cpSync(released, join(work, place), { recursive: true });
                for (const file of readdirSync(released).filter((each) => /\.(jar|pom)$/.test(each))) {
                    await run("gpg", [...keys, "--batch", "--armor", "--detach-sign", join(work, place, file)]);
                }
                const bundle = join(work, "bundle.zip");
                await run("jar", [
                    "--create",
                    "--no-manifest",
                    "--file",
                    bundle,
                    "-C",
                    work,
                    place.split("/")[0] ?? "",
                ]);
                await upload(bundle, name, central);
            });
        },
    });
}

interface Deployment {
    readonly deploymentState: string;
    readonly errors?: unknown;
}

/** @throws Error when the portal rejects the bundle */
async function upload(bundle: string, name: string, { portal, token, pollMs = 10_000 }: MavenCentral): Promise<void> {
    const api = `${portal}/api/v1/publisher`;
    const post = async (path: string, body?: FormData) => {
        const authorization = `Bearer ${Buffer.from(token).toString("base64")}`;
        const request = { method: "POST", headers: { authorization }, body: body ?? null };
        return requireOk(await fetch(`${api}/${path}`, request));
    };
    const form = new FormData();
    form.set("bundle", new Blob([readFileSync(bundle)]), "bundle.zip");
    const id = await post(`upload?publishingType=AUTOMATIC&name=${encodeURIComponent(name)}`, form);
    for (let poll = 0; poll < maxPolls; poll++) {
        const { deploymentState, errors } = JSON.parse(await post(`status?id=${id.trim()}`)) as Deployment;
        if (deploymentState === "FAILED") {
            throw new Error(`Maven Central rejected ${name}: ${JSON.stringify(errors)}`);
        }
        // In these states, Maven Central publishes the bundle without further requests.
        if (deploymentState === "PUBLISHING" || deploymentState === "PUBLISHED") {
            return;
        }
        await setTimeout(pollMs);
    }
    throw new Error(
        `Maven Central is still checking ${name}: look at its deployments at ${portal}, then run this again.`,
    );
}

async function requireOk(response: Response): Promise<string> {
    const text = await response.text();
    if (!response.ok) {
        throw new Error(`${response.url} answered with ${response.status}: ${text.slice(0, 500)}`);
    }
    return text;
}
