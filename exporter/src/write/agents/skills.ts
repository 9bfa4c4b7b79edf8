import { beginningOf } from "@pulumi-static-export/contract";
import { wordsBefore } from "../../text/strings.js";
import { createHash } from "node:crypto";
import { type SitePlan } from "../../plan/site-plan.js";
import { type SiteWarning } from "../../problems/warning-log.js";
import { readFrontMatter } from "../../read/front-matter/front-matter.js";
import { belowBasePath } from "../../read/files/routes.js";
import { skillsFolder } from "../../read/files/published-names.js";
import { type SiteOutput } from "../output/site-output.js";

/** The skills for agents that read the site: https://agentskills.io/specification */
interface Skill {
    readonly name: string;
    readonly description: string;
    readonly file: string;
    /** The other files in the skill's folder, by their paths in this folder. */
    readonly others: readonly (readonly [path: string, file: string])[];
}

const skillFile = "SKILL.md";
const maxDescription = 1024;
const maxName = 64;

/**
 * Publishes the site's skills, with the indexes of version 0.2.0 of the discovery specification and of the previous
 * version. Does not publish skills for certain readers.
 */
export async function writeSkills(
    plan: SitePlan,
    outputs: readonly SiteOutput[],
    warn: (warning: SiteWarning) => void,
): Promise<void> {
    // A site without public pages publishes no skills.
    const skills = plan.pages.length === 0 ? [] : readSkills(plan, warn);
    const [first] = skills;
    if (first === undefined) {
        return;
    }
    const { content, targets } = plan;
    const place = `/${belowBasePath(targets.basePath, ".well-known/agent-skills")}`;
    const index = {
        $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
        skills: skills.map(({ name, description, file }) => ({
            name,
            type: "skill-md",
            description,
            url: `${place}/${name}/${skillFile}`,
            digest: `sha256:${createHash("sha256").update(content.readText(file)).digest("hex")}`,
        })),
    };
    const earlier = {
        skills: skills.map(({ name, description, others }) => ({
            name,
            description,
            files: [skillFile, ...others.map(([path]) => path)],
        })),
    };
    for (const output of outputs) {
        for (const [folder, list] of [
            ["agent-skills", index],
            ["skills", earlier],
        ] as const) {
            await output.write(`.well-known/${folder}/index.json`, `${JSON.stringify(list, undefined, 2)}\n`);
            for (const { name, file, others } of skills) {
                await output.write(`.well-known/${folder}/${name}/${skillFile}`, content.readText(file));
                for (const [path, other] of others) {
                    await output.copy(`.well-known/${folder}/${name}/${path}`, content.open(other));
                }
            }
        }
    }
    if (skills.length === 1 || !first.file.startsWith(skillsFolder)) {
        await outputs[0]?.write("skill.md", content.readText(first.file));
    }
}

/** Reads the site's skills, the skill at the root first. */
function readSkills({ skills: files, content }: SitePlan, warn: (warning: SiteWarning) => void): Skill[] {
    const skills = new Map<string, Skill>();
    const mains = files.filter((file) => !file.startsWith(skillsFolder) || /^[^/]+\/skill\.md$/i.test(inFolder(file)));
    for (const file of mains) {
        const { meta } = readFrontMatter(content.readText(file));
        const { name: given, description: described } = meta.values ?? {};
        const name = typeof given === "string" ? slugOf(given) : "";
        const description = typeof described === "string" ? wordsBefore(described, maxDescription, " ") : "";
        const isPrivate = meta.readers?.groups !== undefined || meta.readers?.isPublic === false;
        const problem = isPrivate
            ? "this skill is for certain readers, so it is left out"
            : name === "" || description === ""
              ? "a skill needs a name and a description in its front matter, so this file is left out"
              : skills.has(name)
                ? `${skills.get(name)?.file} is already the skill ${name}, so this file is left out`
                : undefined;
        if (problem !== undefined) {
            warn({ kind: isPrivate ? "access" : "settings", file, line: undefined, reason: problem });
            continue;
        }
        const folder = file.startsWith(skillsFolder) ? file.slice(0, file.lastIndexOf("/") + 1) : undefined;
        const others = files
            .filter((other) => folder !== undefined && other !== file && other.startsWith(folder))
            .map((other) => [other.slice(folder?.length), other] as const);
        skills.set(name, { name, description, file, others });
    }
    return [...skills.values()];
}

function inFolder(file: string): string {
    return file.slice(skillsFolder.length);
}

function slugOf(name: string): string {
    const letters = name.toLowerCase().replace(/[^a-z\d]+/g, "-");
    return beginningOf(letters, maxName).replace(/^-|-$/g, "");
}
