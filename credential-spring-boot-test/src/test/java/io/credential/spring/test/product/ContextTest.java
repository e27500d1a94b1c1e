package io.credential.spring.test.product;

import org.springframework.test.context.TestContextManager;
import org.springframework.util.ReflectionUtils;

/** Runs a test of an application in the class loader of this class, which JUnit does not know. */
public final class ContextTest implements Runnable {

    private final Class<?> test;

    public ContextTest(String test) throws ClassNotFoundException {
        this.test = Class.forName(test);
    }

    @Override
    public void run() {
        TestContextManager contexts = new TestContextManager(test);
        try {
            Runnable instance =
                    (Runnable) ReflectionUtils.accessibleConstructor(test).newInstance();
            contexts.beforeTestClass();
            contexts.prepareTestInstance(instance);
            contexts.beforeTestMethod(instance, test.getMethod("run"));
            instance.run();
            contexts.afterTestMethod(instance, test.getMethod("run"), null);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            close(contexts);
        }
    }

    private static void close(TestContextManager contexts) {
        try {
            contexts.afterTestClass();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
