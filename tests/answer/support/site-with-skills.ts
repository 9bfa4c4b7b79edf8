import { type Files } from "../../exporter/support/site-fixture.js";
import { siteWithReaders } from "./answered-site.js";

const skillOf = (name: string, description: string, text: string, more = "") =>
    `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n${text}\n`;

/** Skills for everybody, and a skill for one group. */
export const siteWithSkills: Files = {
    ...siteWithReaders,
    ".mintlify/skills/feeding/SKILL.md": skillOf("feeding", "Feeds a walrus.", "Take clams."),
    ".mintlify/skills/washing/SKILL.md": skillOf("washing", "Washes a walrus.", "Take water."),
    ".mintlify/skills/a/SKILL.md": skillOf("planning", "Plans.", "Take a narwhal.", "groups: [a]\n"),
};
