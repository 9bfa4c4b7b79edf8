import assert from "node:assert/strict";
import { nearestName } from "../../../exporter/src/text/nearest-name.js";

const components = ["Tip", "Tab", "Tabs", "Card", "CardGroup", "Accordion", "AccordionGroup"];

describe("The name that an author meant", () => {
    for (const [typed, meant] of [
        ["Tipp", "Tip"],
        ["Crad", "Card"],
        ["card", "Card"],
        ["Acordion", "Accordion"],
        ["CardGruop", "CardGroup"],
    ] as const) {
        it(`is ${meant} for ${typed}`, () => {
            assert.equal(nearestName(typed, components), meant);
        });
    }

    for (const typed of ["Explorer", "Ab", "Chart", "x".repeat(1000), ""]) {
        it(`is unknown for ${JSON.stringify(typed.slice(0, 20))}`, () => {
            assert.equal(nearestName(typed, components), undefined);
        });
    }
});
