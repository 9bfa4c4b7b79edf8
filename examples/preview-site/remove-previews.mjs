// Removes the preview of a closed pull request, or all previews that have not been deployed for a given number of days.
// Usage: node remove-previews.mjs <number of the pull request> | --days <days>
import { execFileSync } from "node:child_process";

const [choice, days] = process.argv.slice(2);
const before = Date.now() - Number(days) * 24 * 3600 * 1000;
const isChosen =
    choice === "--days"
        ? ({ name, lastUpdate }) => /^pr-\d+$/.test(name) && Date.parse(lastUpdate) <= before
        : ({ name }) => name === `pr-${choice}`;

const stacks = JSON.parse(execFileSync("pulumi", ["stack", "ls", "--json"], { encoding: "utf8" }));
const names = stacks.filter(isChosen).map(({ name }) => name);
for (const name of names) {
    for (const command of [
        ["destroy", "--skip-preview"],
        ["stack", "rm"],
    ]) {
        execFileSync("pulumi", [...command, "--yes", "--non-interactive", "--stack", name], { stdio: "inherit" });
    }
}
console.log(names.length === 0 ? "There is no preview to remove." : `Removed ${names.join(", ")}.`);
