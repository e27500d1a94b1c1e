package io.credential.architecture.planted.seal;

/** Breaks: text is compared where it is public. */
public final class ComparesText {

    public boolean matches(String presented, String stored) {
        return presented.equals(stored);
    }
}
