// JSON merge patches: changed fields by name, null for removed fields, whole lists.

/**
 * Return a value with a patch applied. Parts that the patch does not change keep their identity.
 *
 * @param {any} value
 * @param {any} patch
 * @returns {any}
 */
export function applyPatch(value, patch) {
  if (!isObject(patch)) return patch;
  const patched = isObject(value) ? { ...value } : {};
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) delete patched[name];
    else patched[name] = applyPatch(patched[name], change);
  }
  return patched;
}

/**
 * Return the view after each update.
 *
 * @param {api.View} view
 * @param {api.Update[]} updates
 * @returns {api.View[]}
 */
export function patchedViews(view, updates) {
  let now = view;
  return updates.map(({ patch }) => {
    now = applyPatch(now, patch ?? {});
    return now;
  });
}

/** @param {any} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
