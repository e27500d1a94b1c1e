package io.credential.spring.autoconfigure.security;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.credential.spring.autoconfigure.diagnostics.CredentialConfigurationException;
import io.credential.spring.security.RequiresScope;

/**
 * Stops the start when {@link RequiresScope} sits where no proxy can enforce it. Beans are checked before they are
 * proxied, so that ours is the message that is read, and again when the proxy turns out to be a subclass. Beans that are
 * not created by the end of the start (lazy ones, other scopes) are checked by their type, and those that are created by
 * then must have a proxy.
 */
final class UnenforceableScopeCheck implements BeanPostProcessor, SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(UnenforceableScopeCheck.class);

    private final ConfigurableListableBeanFactory beans;
    private final EarlyBeanCheck early;
    private final Set<String> processed = ConcurrentHashMap.newKeySet();
    private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();
    private final Set<Class<?>> checkedForSubclass = ConcurrentHashMap.newKeySet();

    UnenforceableScopeCheck(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        this.early = new EarlyBeanCheck(beans);
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
        processed.add(beanName);
        check(bean.getClass(), beanName);
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        checkProxy(bean, beanName);
        return bean;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
            if (bean == null) {
                checkByType(name);
            } else if (bean instanceof FactoryBean
                    || !ClassRequirements.of(bean.getClass()).isEmpty()
                    || AopUtils.isAopProxy(bean)) {
                checkProxy(bean, name);
                early.check(name, processed.contains(name));
            }
        }
    }

    private void checkByType(String beanName) {
        try {
            Class<?> type = beans.getType(beanName, false);
            if (type != null) {
                check(type, beanName);
            }
        } catch (BeansException | LinkageError | IllegalStateException unresolvable) {
            // A bean that may never be created may lack classes; if it ever is created it is looked at again.
            LOG.debug("Not checked for @RequiresScope: bean '{}'", beanName, unresolvable);
        }
    }

    private void check(Class<?> beanType, String beanName) {
        if (isMadeOfInterfaces(beanType)) {
            return;
        }
        Class<?> type = ClassUtils.getUserClass(beanType);
        ClassRequirements requirements = ClassRequirements.of(type);
        if (requirements.isEmpty()) {
            return;
        }
        if (checked.add(type)) {
            checkDemands(requirements, type, beanName);
        }
        if (isToBeSubclassed(type)) {
            checkForSubclass(requirements, type, beanName);
        }
    }

    /** A proxy of interfaces sees every call; a proxy that is a subclass does not see calls it cannot override. */
    private void checkProxy(Object bean, String beanName) {
        if (AopUtils.isCglibProxy(bean)) {
            Class<?> type = ClassUtils.getUserClass(bean.getClass());
            ClassRequirements requirements = ClassRequirements.of(type);
            if (!requirements.isEmpty()) {
                checkForSubclass(requirements, type, beanName);
            }
        }
    }

    /** Final by nature, and proxied by their interfaces. */
    private static boolean isMadeOfInterfaces(Class<?> type) {
        return Proxy.isProxyClass(type) || ClassUtils.isLambdaClass(type);
    }

    /** Whether the proxy will be a subclass, as far as that can be told beforehand. */
    private boolean isToBeSubclassed(Class<?> type) {
        return ClassUtils.getAllInterfacesForClass(type).length == 0
                || !(beans.getSingleton(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) instanceof ProxyConfig creator)
                || creator.isProxyTargetClass();
    }

    private static void checkDemands(ClassRequirements requirements, Class<?> type, String beanName) {
        if (requirements.isDemandedOfType()) {
            requireScopes(requirements.ofType(), beanName, type.getName());
        }
        for (ClassRequirements.Demand demand : requirements.demands()) {
            String place = place(demand.method());
            requireScopes(demand.scopes(), beanName, place);
            int modifiers = demand.method().getModifiers();
            if (Modifier.isPrivate(modifiers)) {
                throw unenforceable(beanName, place, "the method is private");
            }
            if (Modifier.isStatic(modifiers)) {
                throw unenforceable(beanName, place, "the method is static");
            }
        }
    }

    private static void requireScopes(Set<String> scopes, String beanName, String place) {
        if (scopes.isEmpty() || scopes.stream().anyMatch(String::isBlank)) {
            throw unenforceable(beanName, place, "it names no scope, or a blank one");
        }
    }

    private void checkForSubclass(ClassRequirements requirements, Class<?> type, String beanName) {
        if (!checkedForSubclass.add(type)) {
            return;
        }
        if (Modifier.isFinal(type.getModifiers())) {
            throw unenforceable(beanName, type.getName(), "the class is final");
        }
        for (Method method : ReflectionUtils.getAllDeclaredMethods(type)) {
            if (isOperation(method)) {
                checkOverridable(method, requirements, type, beanName);
            }
        }
    }

    private static void checkOverridable(
            Method method, ClassRequirements requirements, Class<?> type, String beanName) {
        boolean ofMethod = !requirements.ofOperation(method).isEmpty();
        if (Modifier.isFinal(method.getModifiers())
                && (ofMethod || (requirements.isDemandedOfType() && !isOfFramework(method)))) {
            throw unenforceable(beanName, place(method), "the method is final");
        }
        if (isHiddenFrom(type, method) && (ofMethod || ClassRequirements.isDemandedOf(method.getDeclaringClass()))) {
            throw unenforceable(
                    beanName,
                    place(method),
                    "the method is package-private, and " + type.getName() + " is in another package");
        }
    }

    private static boolean isOperation(Method method) {
        return method.getDeclaringClass() != Object.class
                && !Modifier.isPrivate(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers());
    }

    /** The annotation of a class does not cover methods that it inherits from the framework. */
    private static boolean isOfFramework(Method method) {
        String declaredBy = method.getDeclaringClass().getName();
        return declaredBy.startsWith("java.") || declaredBy.startsWith("org.springframework.");
    }

    /** A subclass in another package, which the proxy is, does not override it. */
    private static boolean isHiddenFrom(Class<?> type, Method method) {
        Class<?> declaring = method.getDeclaringClass();
        return (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) == 0
                && !(declaring.getPackageName().equals(type.getPackageName())
                        && Objects.equals(declaring.getClassLoader(), type.getClassLoader()));
    }

    private static String place(Method method) {
        return ClassUtils.getQualifiedMethodName(method, method.getDeclaringClass());
    }

    private static CredentialConfigurationException unenforceable(String beanName, String place, String why) {
        return new CredentialConfigurationException(
                "@RequiresScope on " + place + " (bean '" + beanName + "') cannot be enforced: " + why + ".",
                "The check is done by a proxy, a subclass of the bean. Make the class and the method neither final nor"
                        + " private nor static, inherited ones protected or public, and name at least one scope; or"
                        + " demand the scope in the security chain with authorizeHttpRequests and"
                        + " ScopeAuthorizationManager.hasScope(..).");
    }
}
