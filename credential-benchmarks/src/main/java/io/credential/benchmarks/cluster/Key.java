package io.credential.benchmarks.cluster;

/**
 * A token that a node has returned.
 *
 * @param generation how often the key had been rotated
 * @param uncertain whether a change of the key may have been made without an answer
 */
record Key(String id, String token, int generation, boolean uncertain) {

    Key uncertainFromNowOn() {
        return new Key(id, token, generation, true);
    }

    /** Leaves the token out. */
    @Override
    public String toString() {
        return "Key[" + id + ", generation " + generation + "]";
    }
}
