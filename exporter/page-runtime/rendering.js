/** The current rendering. The hooks of components change this object, and the exporter reads it. */
export const rendering = {
    /** The path of the component whose hooks are running. */
    path: "",
    hookCount: 0,
    /** The component whose hooks are running. */
    component: undefined,
    /** Whether a component loads data in browsers, after its first view. */
    loadsData: false,
    /** The state of components, by their places. */
    states: new Map(),
    /** The state changes of the current event; undefined between events. */
    updates: undefined,
    /** The elements that readers can click on, and the effect of each click. */
    actions: [],
    /** The names that the page's code declares, with their values. */
    pageNames: Object.create(null),
    /** Values that are not data stay in the engine; the exporter refers to them by number. */
    references: [],
};

/** @param states the initial state of components */
export function startRendering(states = new Map()) {
    Object.assign(rendering, { path: "", hookCount: 0, loadsData: false, states, actions: [] });
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
