/** Where exports list their skills; see the exporter's `skills.ts`. */
const folder = ".well-known/agent-skills";

/** The maximum number of skills, because agents read their whole list. */
const maxSkills = 100;
const namePattern = /^[a-z\d][a-z\d-]{0,63}$/;

/** A description of how agents do something with the documented product: https://agentskills.io/specification */
export interface SiteSkill {
    readonly name: string;
    readonly description: string;
    /** The path of the skill's file in the site. */
    readonly file: string;
}

/** Returns the skills that a site lists, or none if the list is damaged, so that the site's pages can still be read. */
export async function readSkills(read: (file: string) => Promise<string | undefined>): Promise<SiteSkill[]> {
    const skills = new Map<string, SiteSkill>();
    for (const { name, description } of listedIn(await read(`${folder}/index.json`))) {
        if (typeof name === "string" && namePattern.test(name) && typeof description === "string") {
            skills.set(name, { name, description, file: `${folder}/${name}/SKILL.md` });
        }
    }
    return [...skills.values()].slice(0, maxSkills);
}

interface ListedSkill {
    readonly name?: unknown;
    readonly description?: unknown;
}

function listedIn(text = "{}"): ListedSkill[] {
    try {
        const { skills } = JSON.parse(text) as { skills?: (ListedSkill | null)[] };
        return Array.isArray(skills) ? skills.filter((each) => each !== null) : [];
    } catch {
        return [];
    }
}
