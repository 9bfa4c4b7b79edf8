/** What is being rendered, for the hooks of components and for what the exporter asks of it. */
export const rendering = {
    /** Where the component stands whose hooks run. */
    path: "",
    hookCount: 0,
    /** What components have in their state, by their places. */
    states: new Map(),
    /** What an event changes; undefined while nothing happens. */
    updates: undefined,
    /** What readers can do with what is shown: what they click on, and what happens then. */
    actions: [],
    /** The names of the page itself. */
    pageNames: Object.create(null),
    /** What is no data stays in the engine; the exporter knows it by its number. */
    references: [],
};

/** @param states what components have in their state from the beginning */
export function startRendering(states = new Map()) {
    Object.assign(rendering, { path: "", hookCount: 0, states, actions: [] });
}

export function hookState(initial) {
    const key = `${rendering.path}#${(rendering.hookCount += 1)}`;
    if (!rendering.states.has(key)) {
        rendering.states.set(key, initial());
    }
    return [key, rendering.states.get(key)];
}

export function addStateUpdate(key, before, change) {
    const { updates } = rendering;
    updates?.set(key, change(updates.has(key) ? updates.get(key) : before));
}
