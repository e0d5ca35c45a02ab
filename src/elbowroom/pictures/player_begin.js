// ---- Begin: every scene is read when it first comes near, so that a long page opens at once

function raise(element) {
  const stage = new Stage(element, new Scene(JSON.parse(element.querySelector("script").textContent)));
  stage.listen();
  stage.fit();
  stage.watch();
  const wanted = stage.fills && /at=([\d.]+)/.exec(location.hash); // #at=0.5 opens in the middle of the motion
  if (wanted) stage.set(Number(wanted[1]));
  const step = (now) => { stage.step(now); requestAnimationFrame(step); };
  requestAnimationFrame(step);
}

const stages = document.querySelectorAll(".scene");
if (!gl) {
  for (const stage of stages) stage.classList.add("fault");
} else {
  prepare();
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries.filter((each) => each.isIntersecting)) {
      near.unobserve(entry.target);
      raise(entry.target);
    }
  }, { rootMargin: "300px" });
  for (const stage of stages) near.observe(stage);
}
