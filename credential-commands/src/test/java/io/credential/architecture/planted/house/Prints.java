package io.credential.architecture.planted.house;

/** Breaks: nothing is printed. */
public final class Prints {

    public void print() {
        System.out.println("planted");
    }
}
