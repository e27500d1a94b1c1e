package io.credential.spring.war;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.loader.WebappLoader;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;
import org.springframework.web.SpringServletContainerInitializer;

/**
 * {@link WarApplication} in a Tomcat that it knows nothing of. Uses only types of the JDK in its signatures, so that it
 * can be called from another class loader.
 */
public final class DeployedApplication implements AutoCloseable {

    /** The file with the port of the server. */
    static final String PORT = "port";

    private final Tomcat tomcat = new Tomcat();

    private DeployedApplication(Path directory, Map<String, String> parameters) throws LifecycleException {
        tomcat.setBaseDir(directory.toString());
        tomcat.setPort(0);
        Context context = tomcat.addContext("", directory.toString());
        ClassLoader loader = DeployedApplication.class.getClassLoader();
        context.setParentClassLoader(loader);
        WebappLoader delegating = new WebappLoader();
        delegating.setDelegate(true);
        context.setLoader(delegating);
        context.addServletContainerInitializer(new SpringServletContainerInitializer(), Set.of(WarApplication.class));
        parameters.forEach(context::addParameter);
        tomcat.getConnector();
        tomcat.start();
        if (context.getState() != LifecycleState.STARTED) {
            throw new IllegalStateException("The application has not started; see the log");
        }
    }

    /** Starts the application; the value is closeable. */
    public static AutoCloseable start(Path directory, Map<String, String> parameters) throws Exception {
        TomcatURLStreamHandlerFactory.disable(); // there can be only one in a JVM
        DeployedApplication deployed = new DeployedApplication(directory, parameters);
        Files.writeString(
                directory.resolve(PORT),
                String.valueOf(deployed.tomcat.getConnector().getLocalPort()));
        return deployed;
    }

    @Override
    public void close() throws IOException, LifecycleException {
        tomcat.stop();
        tomcat.destroy();
    }
}
