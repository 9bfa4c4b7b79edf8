import fc from "fast-check";

/**
 * All runs of the specs use the same random cases, so that failures come from changes, not from chance. `npx mocha`
 * with one spec uses other cases.
 */
fc.configureGlobal({ seed: 1 });
