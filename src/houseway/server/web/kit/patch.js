// Merge patches: changed fields by name, null for what is gone, lists whole.

/**
 * Return a value with a patch applied; parts that the patch does not change are the same objects as before.
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
 * The views that updates lead to, one after the other.
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
