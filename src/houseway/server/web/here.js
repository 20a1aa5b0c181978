// Whether the house's address means anything to somebody else.

const ALONE = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** What is to be known of a link of this house; nothing where others can open it. */
export const onlyHere = () => (ALONE.test(location.hostname)
  ? "Only this machine can open it. For friends on the same network, open the house with "
    + "make run HOST=0.0.0.0 and give them its address there."
  : "");
