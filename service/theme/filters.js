/* Forms that filter lists. They also work without this file, with days in UTC. */
// The days of a filter begin and end where the reader is.
document.addEventListener("submit", ({ target }) => {
    for (const [name, days] of [
        ["since", 0],
        ["until", 1],
    ]) {
        const { [name]: day, [`${name}At`]: at, zone: used } = target.elements;
        if (at) {
            at.value = "";
        }
        if (at && day.value !== "") {
            const [year, month, date] = day.value.split("-").map(Number);
            at.value = new Date(year, month - 1, date + days).toISOString();
            used.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
        }
    }
});

// A page that the browser has kept shows the fields of its own address again.
addEventListener("pageshow", ({ persisted }) => {
    for (const form of persisted ? document.querySelectorAll("form.search") : []) {
        form.reset();
    }
});
