package io.credential.keyring.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.credential.seal.internal.Keyring;

/**
 * The keys of a node, as others see them.
 *
 * @param checkValues by check id
 * @param active the check ids of the keys that seal and index
 */
record NodeKeys(Map<String, String> checkValues, Set<String> active) {

    static NodeKeys of(Keyring keyring) {
        return new NodeKeys(
                keyring.checkValues(), Set.of(keyring.activeKeyId(), Keyring.indexCheckId(keyring.activeIndexKeyId())));
    }

    /** Returns why two nodes cannot run together, naming ids only; empty if they can. */
    List<String> differencesFrom(NodeKeys other, String otherNode) {
        List<String> differences = new ArrayList<>();
        checkValues.forEach((checkId, checkValue) -> {
            String theirs = other.checkValues.get(checkId);
            if (theirs != null && !theirs.equals(checkValue)) {
                differences.add(KeyringGuard.nameOf(checkId) + " is a different key there");
            }
        });
        missingIn(other)
                .forEach(checkId -> differences.add(
                        KeyringGuard.nameOf(checkId) + " is active here, but missing in '" + otherNode + "'"));
        other.missingIn(this)
                .forEach(checkId -> differences.add(
                        KeyringGuard.nameOf(checkId) + " is active in '" + otherNode + "', but missing here"));
        return differences;
    }

    /** Returns which active keys another node does not have. */
    private List<String> missingIn(NodeKeys other) {
        return active.stream()
                .filter(checkId -> !other.checkValues.containsKey(checkId))
                .sorted()
                .toList();
    }
}
